/** Functions whose value grows with the number of rows, or with the square of a document. */
export const growing: ReadonlySet<string> = new Set([
  'string_agg',
  'array_agg',
  'json_agg',
  'jsonb_agg',
  'json_object_agg',
  // It writes a line for each level of each part, with the levels as spaces.
  'jsonb_pretty',
])

/** Functions whose value is one of their arguments, or a part of it. */
export const selecting: ReadonlySet<string> = new Set([
  'any_value',
  'max',
  'min',
  'mode',
  'first_value',
  'last_value',
  'nth_value',
  'lag',
  'lead',
  'lower',
  'upper',
  'initcap',
  'left',
  'right',
  'substr',
  'substring',
  'btrim',
  'ltrim',
  'rtrim',
  'trim',
  'reverse',
  'split_part',
  'translate',
  'concat',
  'overlay',
  'unnest',
  'array_cat',
  'array_append',
  'array_prepend',
])

/** Functions that put their third argument into the place of many parts of the first. */
export const replacing: ReadonlySet<string> = new Set([
  'replace',
  'regexp_replace',
  'array_to_string',
  'concat_ws',
  'array_replace',
])

/** Bytes that one byte may become, as an escape in JSON or an element of an array. */
const EXPANSION = 8

/** Bytes of text that one byte may become as a number of a document or an array: `1e131071` has 131,072 digits. */
const NUMBER_EXPANSION = 16_384

/** Functions whose value is a number, a time or a truth value. */
export const measuring: ReadonlySet<string> = new Set(
  [
    'avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every regr_avgx regr_avgy regr_count',
    'regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp sum var_pop var_samp',
    'variance cume_dist dense_rank ntile percent_rank rank row_number',
    'abs cbrt ceil ceiling degrees div exp floor gcd lcm ln log log10 min_scale mod pi power radians round scale sign',
    'sqrt trim_scale trunc width_bucket acos asin atan atan2 cos cot sin tan',
    'ascii char_length character_length length octet_length position regexp_count regexp_instr regexp_like starts_with',
    'strpos to_number age date date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days',
    'justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps',
    'statement_timestamp timezone to_date to_timestamp transaction_timestamp',
    'array_length array_lower array_ndims array_position array_upper cardinality json_array_length jsonb_array_length',
    'num_nonnulls num_nulls float8 int2 int4 int8 numeric timestamptz',
  ].flatMap((names) => names.split(' ')),
)

/** Operators that compute; `+` also joins two paths. */
export const arithmeticOperators: ReadonlySet<string> = new Set('+ - * / % ^ | & # ~ << >> @ |/ ||/'.split(' '))

/** Types whose values may be longer than a number or a time. */
export const longTypes: ReadonlySet<string> = new Set(['text', 'varchar', 'json', 'jsonb', 'bytea'])

/** Operators that take a part out of a document. */
export const documentOperators: ReadonlySet<string> = new Set(['->', '->>', '#>', '#>>'])

/** Types, and functions, that make numbers of a text of them; `t._numeric` is a cast to an array. */
export const numbering: ReadonlySet<string> = new Set(
  'jsonb jsonb[] _jsonb numeric[] _numeric to_jsonb jsonb_build_array jsonb_build_object'.split(' '),
)

/** Bytes that a byte may become by the function, the operator or a cast to the type of this name. */
export function expansionOf(name: string): number {
  return numbering.has(name) ? NUMBER_EXPANSION : EXPANSION
}
