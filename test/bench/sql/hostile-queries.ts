/** Queries that compute, sort or build values until something ends them. */
export const hostileQueries: readonly string[] = [
  'SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b',
  `SELECT count(*) FROM ${Array.from({ length: 7 }, (_, index) => `market.task AS t${index}`).join(', ')}`,
  'SELECT g FROM generate_series(1, 1000000) AS g, generate_series(1, 1000) AS h ORDER BY md5(g::text)',
  "WITH RECURSIVE r(x) AS (SELECT 'x'::text UNION ALL SELECT x || x FROM r) SELECT max(length(x)) FROM r",
  "SELECT string_agg(md5(id), '') FROM market.task, generate_series(1, 1000)",
]
