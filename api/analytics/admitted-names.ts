/**
 * The functions that a query may call: of PostgreSQL's own those that read their arguments and nothing else. None of
 * them changes a setting, waits, writes, looks into the server or runs a text as SQL; and none makes a value of a size
 * that an argument names (`repeat`, `lpad`, `rpad`, `format`, `array_fill`). Not listed:
 * `jsonb_object_agg`, which sorts the keys of all rows in time that grows with their square.
 */
export const admittedFunctions: ReadonlySet<string> = new Set(
  [
    // Aggregates and window functions.
    'any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every',
    'json_agg json_object_agg jsonb_agg max min mode percentile_cont percentile_disc',
    'regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy',
    'stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance',
    'cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number',
    // Numbers.
    'abs cbrt ceil ceiling degrees div exp floor gcd lcm ln log log10 min_scale mod pi power radians round scale',
    'sign sqrt trim_scale trunc width_bucket acos asin atan atan2 cos cot sin tan',
    // Texts and bytes.
    'ascii btrim char_length character_length chr concat concat_ws convert_from decode encode initcap left length',
    'like_escape lower ltrim md5 octet_length overlay position regexp_count regexp_instr regexp_like regexp_match',
    'regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr replace reverse right',
    'rtrim similar_to_escape sha224 sha256 sha384 sha512 split_part starts_with strpos string_to_array string_to_table substr',
    'substring to_char to_hex to_number translate trim upper',
    // Times.
    'age date date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days justify_hours',
    'justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps',
    'statement_timestamp timezone to_date to_timestamp transaction_timestamp',
    // Arrays and JSON.
    'array_append array_cat array_dims array_length array_lower array_ndims array_position array_positions',
    'array_prepend array_remove array_replace array_to_string array_upper cardinality unnest',
    'array_to_json json_array_elements json_array_elements_text json_array_length json_build_array',
    'json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object_keys',
    'json_typeof jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array',
    'jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object_keys',
    'jsonb_pretty jsonb_strip_nulls jsonb_typeof row_to_json to_json to_jsonb',
    // Rows and other.
    'generate_series generate_subscripts num_nonnulls num_nulls',
    'float8 int2 int4 int8 numeric text timestamptz',
  ].flatMap((names) => names.split(' ')),
)

/** Characters of a pattern that is searched for; a hash of 32 bytes has 66. */
export const MAX_PATTERN_LENGTH = 128
/** Characters of a set of which each is compared with each character of a text. */
const MAX_SET_LENGTH = 16

/**
 * Functions that search their first argument for the second: PostgreSQL compares every place with the whole pattern and
 * looks for no cancellation meanwhile, so the pattern must be short. How many characters it may have.
 */
export const patternLengths: ReadonlyMap<string, number> = new Map([
  ...['strpos', 'position', 'replace', 'split_part', 'string_to_array', 'string_to_table'].map(searchFor),
  // Formats: the rest of the text is measured for each part of the format.
  ...['to_char', 'to_date', 'to_number', 'to_timestamp'].map(searchFor),
  ...['btrim', 'ltrim', 'rtrim', 'translate'].map((name): [string, number] => [name, MAX_SET_LENGTH]),
])

function searchFor(name: string): [name: string, maxLength: number] {
  return [name, MAX_PATTERN_LENGTH]
}

/** The operators that a query may use; of `@@`, `@?` and `#-` the time grows with the square of a document. */
export const admittedOperators: ReadonlySet<string> = new Set(
  '+ - * / % ^ | & # ~ << >> || = <> != < <= > >= ~~ !~~ ~~* !~~* ~* !~ !~* ^@ -> ->> #> #>> @> <@ && ? ?| ?& @ |/ ||/'.split(
    ' ',
  ),
)

/** The operators that may stand before ANY, ALL or a subquery. */
export const comparisons: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '<=', '>', '>='])

/** Comparisons that end at the first difference of two values of one length. */
export const equalities: ReadonlySet<string> = new Set(['=', '<>', '!='])

/** Regular expressions: PostgreSQL looks for cancellation while it matches one. */
export const regexOperators: ReadonlySet<string> = new Set(['~', '!~', '~*', '!~*'])

/** Operators that do likewise: their right side is the pattern. */
export const patternOperators: ReadonlySet<string> = new Set(['~~', '!~~', '~~*', '!~~*', '^@'])

/** Operators that compare every element of one side with every element of the other: one side must be written out. */
export const containmentOperators: ReadonlySet<string> = new Set(['@>', '<@', '&&', '?|', '?&'])

/**
 * The types that a value may be cast to, by PostgreSQL's own names; arrays of them too. Not listed: `reg...` and `oid`,
 * which look names up in the catalogs, `xml`, and `bpchar` and `bit`, which fill a value up to a length.
 */
export const admittedTypes: ReadonlySet<string> = new Set(
  [
    'bool bytea date float4 float8 int2 int4 int8 interval json jsonb numeric text time timestamp timestamptz uuid',
    'varchar boolean bigint integer smallint real',
  ].flatMap((names) => names.split(' ')),
)

/** Keywords that are values: the times, and nothing about the session. */
export const admittedKeywords: ReadonlySet<string> = new Set([
  'SVFOP_CURRENT_DATE',
  'SVFOP_CURRENT_TIME',
  'SVFOP_CURRENT_TIME_N',
  'SVFOP_CURRENT_TIMESTAMP',
  'SVFOP_CURRENT_TIMESTAMP_N',
  'SVFOP_LOCALTIME',
  'SVFOP_LOCALTIME_N',
  'SVFOP_LOCALTIMESTAMP',
  'SVFOP_LOCALTIMESTAMP_N',
])
