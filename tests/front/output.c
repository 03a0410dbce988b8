/* Outputs where the system refuses something, or where another file is in the way. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/output.h"
#include "support/store_folder.h"

static char folder[FOLDER_PATH_SIZE];

static const char *at(const char *name)
{
    return folder_path(folder, name);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(at(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void check_file(const char *name, const char *expected)
{
    char text[100];
    FILE *file = fopen(at(name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

/* A device that is full says so when what was written is written out: at once, when the file is
 * placed, or closed. */
static void a_full_device_is_no_success(void **state)
{
    static char much[100000];
    output made;
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(output_open(&made, "/dev/full"), 0);
    assert_int_equal(output_empty(&made), 0);
    assert_int_equal(output_write(&made, "x", 1), 0);
    assert_int_equal(output_place(&made), ENOSPC);
    assert_int_not_equal(output_commit(&made), 0); /* as an earlier write failed */
    assert_int_equal(output_open(&made, "/dev/full"), 0);
    assert_int_equal(output_write(&made, much, sizeof much), ENOSPC);
    assert_int_not_equal(output_commit(&made), 0);
    assert_int_equal(output_open(&made, "/dev/full"), 0);
    assert_int_equal(output_write(&made, "x", 1), 0);
    assert_int_equal(output_commit(&made), ENOSPC);
    assert_null(made.file);
}

/* What a standard stream leads to is written in place; any other file is replaced. */
static void streams_are_written_in_place(void **state)
{
    output made;
    int input = dup(0);
    (void)state;
    write_file("stream", "old");
    int stream = open(at("stream"), O_RDWR);
    assert_int_equal(dup2(stream, 0), 0);
    close(stream);
    assert_int_equal(output_open(&made, at("stream")), 0);
    assert_null(made.beside);
    output_discard(&made);
    check_file("stream", "");
    write_file("other", "old");
    assert_int_equal(output_open(&made, at("other")), 0);
    assert_non_null(made.beside);
    assert_int_equal(output_write(&made, "new", 3), 0);
    check_file("other", "old");
    assert_int_equal(output_commit(&made), 0);
    check_file("other", "new");
    close(0); /* no stream at all */
    assert_int_equal(output_open(&made, at("stream")), 0);
    assert_non_null(made.beside);
    output_discard(&made);
    assert_int_equal(dup2(input, 0), 0);
    close(input);
}

static void owner_and_permissions_are_kept(void **state)
{
    struct stat info;
    output made;
    (void)state;
    write_file("owned", "old");
    assert_int_equal(chmod(at("owned"), 0640), 0);
    if (geteuid() == 0)
        assert_int_equal(chown(at("owned"), 12, 34), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(output_open(&made, at("owned")), 0);
        assert_int_equal(output_commit(&made), 0);
        assert_int_equal(stat(at("owned"), &info), 0);
        assert_int_equal(info.st_mode & 07777, 0640);
        if (geteuid() != 0)
            return;
        assert_int_equal(info.st_uid, i == 0 ? 12 : 0);
        assert_int_equal(info.st_gid, 34);
        assert_int_equal(chown(at("owned"), 0, 34), 0); /* the group alone is another one */
    }
}

/* Names beside the target that other processes use are passed over, as long as there are any. */
static void names_in_use_are_passed_over(void **state)
{
    char name[40];
    output made;
    (void)state;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(output_open(&made, at("busy")), 0);
        snprintf(name, sizeof name, "busy.%ld-%d.tmp", (long)getpid(), i);
        assert_string_equal(strrchr(made.beside, '/') + 1, name);
        output_discard(&made);
        write_file(name, "another");
    }
    assert_int_equal(output_open(&made, at("busy")), EEXIST);
    snprintf(name, sizeof name, "busy.%ld-99.tmp", (long)getpid());
    check_file(name, "another");
}

/* A socket is written in place, and cannot be opened. */
static void a_socket_is_no_file(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    output made;
    (void)state;
    if (strlen(at("socket")) >= sizeof address.sun_path)
        skip();
    strcpy(address.sun_path, at("socket"));
    assert_int_equal(bind(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(output_open(&made, at("socket")), ENXIO);
    assert_null(made.target);
    assert_int_equal(output_check(at("socket")),
                     0); /* as it could be a pipe that waits for its reader */
    close(descriptor);
}

static void identities_have_a_size(void **state)
{
    char long_name[OUTPUT_IDENTITY_SIZE + 20], text[OUTPUT_IDENTITY_SIZE], other[sizeof text];
    (void)state;
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    assert_int_equal(output_identity(long_name, text), ENAMETOOLONG);
    long_name[200] = '\0';
    assert_int_equal(output_identity(long_name, text), 0);
    assert_int_equal(output_identity("./a file that is not there", text), 0);
    assert_int_equal(output_identity("a file that is not there", other), 0);
    assert_string_equal(text, other);
    assert_int_equal(output_identity_of(-1, text), EBADF);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_device_is_no_success),
                                       cmocka_unit_test(streams_are_written_in_place),
                                       cmocka_unit_test(owner_and_permissions_are_kept),
                                       cmocka_unit_test(names_in_use_are_passed_over),
                                       cmocka_unit_test(a_socket_is_no_file),
                                       cmocka_unit_test(identities_have_a_size)};
    folder_make(folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(folder);
    return failed;
}
