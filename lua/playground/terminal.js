// Put in front of what emscripten makes: gives what the program writes to a terminal to functions.
Module['preRun'] = [() => {
    if (!Module['putOutput']) return;
    TTY.default_tty_ops.put_char = (tty, byte) => Module['putOutput'](byte);
    TTY.default_tty1_ops.put_char = (tty, byte) => Module['putMessage'](byte);
}];
