import type { RecordingContext } from '../recording-context.ts'

/** Records the operations about the service itself, and the SQL queries of its data. */
export async function recordService({ record, perform, compareBooks }: RecordingContext): Promise<void> {
  await record('getHealth')
  await record('getNetwork')
  await compareBooks()
  await record('getBooks')
  await record('getDailyStats')
  await record('getHookAttachmentConfiguration')
  const query = 'SELECT mode, count(*) AS tasks FROM market.task WHERE reward >= $1 GROUP BY mode ORDER BY mode LIMIT 2'
  const body = { query, params: ['5000000'] }
  for (const type of ['application/json', 'application/x-ndjson', 'text/csv']) {
    await record('runSql', { headers: { Accept: type }, body })
    const longQuery = { query: 'SELECT n FROM generate_series(1, 10001) AS n' }
    const { headers } = await perform('runSql', { headers: { Accept: type }, body: longQuery })
    const [, answerId = ''] = /answers\/(\w+)\/1>/.exec(headers.get('Link') ?? '') ?? []
    await record('getSqlAnswer', { params: { answerId, page: '1' } })
  }
  await record('getSqlCsv', { query: { query: 'SELECT id, mode, reward FROM market.task ORDER BY id LIMIT 1' } })
  await record('getSqlSchema', { query: { table: 'analytics.ledger' } })
  await record('explainSql', { body: { query: 'SELECT id FROM market.task LIMIT 1' } })
  await record('listExports')
  await record('listEvents', { query: { kind: 'task.created', limit: '1' } })
}
