/* Lines of input logs of any values, in any room. Doubles are numbers or infinite: of NaN Eva does
 * not know that it is no integer. */
#include "proof.h"

#include "base/input.c"

enum { ROOM = 60, LETTERS = 6, COUNT = 3 };

typedef struct row {
    uint32_t narrow;
    int32_t number;
    uint64_t wide;
    uint64_t list[COUNT];
} row;

static char room[ROOM], letters[LETTERS];
static row rows[COUNT];

static const pn_field fields[] = {PN_FIELD(row, narrow),
                                  PN_FIELD_OF_INT(row, number),
                                  PN_FIELD(row, wide),
                                  PN_FIELDS(row, list),
                                  {NULL}};

static double any_double(void)
{
    return Frama_C_double_interval(-DBL_MAX, DBL_MAX);
}

static double from_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

void main(void)
{
    pn_writer out = {room, any_below(ROOM + 1), any_long(), 0};
    uint64_t check = any_long();
    const char *texts[COUNT] = {letters, NULL, "text"};
    const double numbers[COUNT] = {any_double(), any_double(), any_double()};
    const pn_param params[2] = {{.name = letters, .value = 0.5}, {.name = "b", .value = 2.0}};
    const pn_input_labels labels[1] = {{.texts = texts + 2, .count = 1}};
    const char *names[1] = {letters};
    const pn_input_about source = {.struct_size = sizeof source,
                                   .text = any() ? letters : NULL,
                                   .text_size = LETTERS,
                                   .attributes = names,
                                   .attributes_count = 1,
                                   .labels = any() ? labels : NULL,
                                   .groups = names,
                                   .groups_count = 1};
    Frama_C_make_unknown(letters, LETTERS - 1);
    Frama_C_make_unknown((char *)rows, sizeof rows);
    for (int i = 0; i < ROOM; i++)
        room[i] = 'x';
    switch (any_below(12)) {
    case 0:
        pn_write_text(&out, letters);
        break;
    case 1:
        pn_write_name(&out, letters);
        break;
    case 2:
        pn_write_number(&out, any_long());
        break;
    case 3:
        pn_write_real(&out, any_double());
        pn_write_real(&out, from_bits(0x7FF0000000000000));
        pn_write_real(&out, from_bits(0xFFF0000000000000));
        break;
    case 4:
        pn_write_digest(&out, any_long());
        break;
    case 5:
        pn_write_strings(&out, letters, texts, any_below(COUNT + 1));
        break;
    case 6:
        pn_write_reals(&out, letters, any() ? numbers : NULL, any_below(COUNT + 1));
        break;
    case 7:
        pn_write_time(&out, any_long(), letters);
        break;
    case 8:
        pn_write_fields(&out, fields, rows, any());
        break;
    case 9:
        pn_write_groups(&out, letters, fields, rows, sizeof *rows, any_below(COUNT + 1));
        break;
    case 10:
        pn_write_policy(&out, letters, params, 2, any() ? numbers : NULL, any() ? &source : NULL);
        break;
    default:
        out.used = any_below(ROOM + 1);
        pn_write_end(&out, &check);
    }
}
