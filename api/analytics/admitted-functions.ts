/**
 * The functions that a query over HTTP may call: PostgreSQL functions that only read their arguments. Excluded are
 * functions that change a setting, wait, run SQL, or build a value of any size (such as `repeat`). The query engine
 * limits the cost (docs/build/analytics.md).
 */
export const admittedFunctions: ReadonlySet<string> = new Set(
  [
    // Aggregates and window functions.
    'any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every',
    'json_agg json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique jsonb_agg jsonb_agg_strict',
    'jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique max min mode percentile_cont percentile_disc',
    'range_agg range_intersect_agg',
    'regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy',
    'stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance',
    'cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number',
    // Numbers.
    'abs cbrt ceil ceiling degrees div exp floor gcd lcm ln log log10 min_scale mod pi power radians round scale',
    'sign sqrt trim_scale trunc width_bucket acos asin atan atan2 cos cot sin tan',
    // Texts and bytes.
    'ascii btrim char_length character_length chr concat concat_ws convert_from decode encode initcap left length',
    'like_escape lower ltrim md5 normalize octet_length overlay position regexp_count regexp_instr regexp_like',
    'regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr replace',
    'reverse right rtrim sha224 sha256 sha384 sha512 similar_to_escape split_part starts_with string_to_array',
    'string_to_table strpos substr substring to_char to_hex to_number translate trim upper',
    // Times.
    'age clock_timestamp date date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days',
    'justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps',
    'statement_timestamp timezone to_date to_timestamp transaction_timestamp',
    // Arrays and JSON.
    'array_append array_cat array_dims array_length array_lower array_ndims array_position array_positions',
    'array_prepend array_remove array_replace array_to_string array_upper cardinality unnest',
    'array_to_json json_array_elements json_array_elements_text json_array_length json_build_array',
    'json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object_keys',
    'json_strip_nulls json_typeof jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array',
    'jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object_keys',
    'jsonb_path_exists jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_strip_nulls',
    'jsonb_typeof row_to_json to_json to_jsonb',
    // Rows and other.
    'generate_series generate_subscripts num_nonnulls num_nulls',
    'float8 int2 int4 int8 numeric text timestamptz',
    // Catalog functions that tools call.
    'col_description current_database current_schema current_schemas format_type obj_description pg_get_expr',
    'pg_get_viewdef pg_table_is_visible pg_type_is_visible pg_typeof quote_ident version',
  ].flatMap((names) => names.split(' ')),
)
