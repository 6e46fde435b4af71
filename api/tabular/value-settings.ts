/**
 * The settings of a database session whose rows are returned as text. They replace the settings of the database login,
 * so the texts are the same for every login.
 */
export const valueSettings = {
  client_min_messages: 'error',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  DateStyle: 'ISO',
  IntervalStyle: 'iso_8601',
  TimeZone: 'UTC',
  extra_float_digits: '1',
} as const
