-- expect: 3: unexpected symbol near <eof>
return {
