/** The settings of a session whose rows are written out, so that the form of values does not depend on its login. */
export const valueSettings = {
  client_min_messages: 'error',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  DateStyle: 'ISO',
  IntervalStyle: 'iso_8601',
  TimeZone: 'UTC',
  extra_float_digits: '1',
} as const
