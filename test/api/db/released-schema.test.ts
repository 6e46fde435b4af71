import { afterAll, beforeAll, expect, test } from 'vitest'
import { OLDEST_VERSION } from '../../../ops/indexer/views-schema.ts'
import { readRecordedRelease } from '../../../scripts/release/recorded-release.ts'
import { findSchemaBreaks } from '../../../scripts/schema/find-schema-breaks.ts'
import { readSchemaFacts, type SchemaFacts } from '../../../scripts/schema/schema-facts.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
const released = readRecordedRelease()
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

/** Advice where the schema breaks the release before, which runs beside this one in an upgrade. */
const remedy = (breaks: string[], change: string) =>
  `The release before (${released.commit.slice(0, 8)}) cannot run on this schema: ${breaks.join('; ')}. Keep what it uses until ` +
  `the release after this one, or let it end: raise DATA_VERSION of api/db/data-version.ts to ${released.dataVersion + 1} and ${change}.`

test('the release before runs on the tables of the service, or a migration names a newer data version', async () => {
  const breaks = findSchemaBreaks(...both(await readSchemaFacts(api.sql), 'service.'))
  const [needed] = await api.sql<
    { version: number }[]
  >`select max(oldest_version)::int as version from service.migrations`
  const isEnded = Number(needed?.version) > released.dataVersion
  expect(isEnded ? [] : breaks, remedy(breaks, 'name it in the first line of the migration')).toEqual([])
})

test('the release before reads the rows of the indexer, or they are for a newer data version', async () => {
  const breaks = findSchemaBreaks(...both(await readSchemaFacts(api.sql), 'market.'))
  const isEnded = OLDEST_VERSION > released.dataVersion
  expect(isEnded ? [] : breaks, remedy(breaks, 'OLDEST_VERSION of ops/indexer/views-schema.ts too')).toEqual([])
})

/** The facts of one schema, of the release before and of this one. */
function both(now: SchemaFacts, schema: string): [SchemaFacts, SchemaFacts] {
  const part = ({ columns, rules, functions }: SchemaFacts): SchemaFacts => ({
    columns: Object.fromEntries(Object.entries(columns).filter(([name]) => name.startsWith(schema))),
    rules: rules.filter(({ table }) => table.startsWith(schema)),
    functions: schema === 'service.' ? functions : [],
  })
  return [part(released), part(now)]
}
