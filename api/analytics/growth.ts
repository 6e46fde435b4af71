/** Functions whose value grows with the number of rows, or with the square of a document. */
export const growing: ReadonlySet<string> = new Set([
  'string_agg',
  'array_agg',
  'json_agg',
  'jsonb_agg',
  'json_object_agg',
  'jsonb_object_agg',
  // It writes a line for each level of each part, with the levels as spaces.
  'jsonb_pretty',
])

/** Functions whose value is one of their arguments, or a part of it. */
export const selecting: ReadonlySet<string> = new Set([
  'any_value',
  'max',
  'min',
  'mode',
  'percentile_disc',
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
export const EXPANSION = 8
