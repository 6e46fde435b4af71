import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readerTables as tables } from '../../../src/views/reader-tables.ts'
import { byDepth } from '../../support/depth.ts'
import { aPosition, insertRow } from '../../support/rows/insert-row.ts'
import { type GraphqlApi, startGraphqlApi } from './graphql-api.ts'

/** Rows of each table: of every nullable column some have no value, and values repeat. */
const ROWS = 9
/** Rows of a page. */
const LIMIT = 4

let api: GraphqlApi
beforeAll(async () => {
  api = await startGraphqlApi()
  for (const table of Object.values(tables).filter((value) => is(value, PgTable))) await fill(table)
})
afterAll(() => api.stop())

/** Values of a column: a key's are all different. */
const values: Record<string, (place: number) => string> = {
  text: (place) => `'0x0${place}'`,
  'numeric(78,0)': (place) => `${place}`,
  numeric: (place) => `${place}`,
  bigint: (place) => `${place}`,
  integer: (place) => `${place}`,
  boolean: (place) => `${place % 2 === 0}`,
  'text[]': (place) => `'{0x0${place}}'`,
  'bigint[]': () => `'{}'`,
  'numeric(78,0)[]': () => `'{}'`,
  'integer[]': () => `'{}'`,
  jsonb: () => `'{}'`,
  json: () => `'{}'`,
}

async function fill(table: PgTable): Promise<void> {
  const { name } = getTableConfig(table)
  // The table itself: `market` has views of some.
  const [stored] = await api.rows.sql<{ oid: number; place: string }[]>`
    select c.oid::int, c.oid::regclass::text as place from pg_class c
    where c.relname = ${name} and c.relkind = 'r' and c.relnamespace::regnamespace::text not in ('service', 'pg_catalog')`
  const { oid, place } = stored ?? expect.fail(`no table ${name}`)
  const key = await api.rows.sql<{ name: string }[]>`
    select a.attname as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${oid} and i.indisprimary`
  const columns = await api.rows.sql<{ name: string; type: string; isNullable: boolean }[]>`
    select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as is_nullable
    from pg_attribute where attrelid = ${oid} and attnum > 0 and not attisdropped`
  for (let row = 0; row < ROWS; row += 1) {
    const texts = columns.map((column) => {
      if (column.isNullable && row % 3 === 1) return 'null'
      const isKey = key.some((part) => part.name === column.name)
      const make = values[column.type] ?? expect.fail(`no value of ${name}.${column.name}, ${column.type}`)
      return make(isKey ? row : row % 4)
    })
    const names = columns.map((column) => `"${column.name}"`).join(', ')
    await api.rows.sql.unsafe(`insert into ${place} (${names}) values (${texts.join(', ')})`)
  }
}

interface Column {
  name: string
  /** The type that the document gives it. Example: `BigInt!`. */
  type: string
}

interface List {
  name: string
  /** Every field of a row that is no relation. */
  fields: string[]
  /** Those that it can be sorted by. */
  columns: Column[]
}

/** Every list of the schema. */
async function findLists(): Promise<List[]> {
  const { body } = await api.ask(
    '{ __schema { types { name fields { name type { kind name ofType { kind name } } } } } }',
  )
  // biome-ignore lint/suspicious/noExplicitAny: an answer of introspection.
  const fieldsOf = (type: string): any[] => body.data.__schema.types.find((one: any) => one.name === type)?.fields ?? []
  return fieldsOf('Query')
    .filter(({ type }) => type.ofType?.name?.endsWith('Page'))
    .map(({ name, type }) => {
      const fields = fieldsOf(type.ofType.name.replace(/Page$/, ''))
        .map((column) => ({ column, type: column.type.ofType ?? column.type }))
        .filter(({ type }) => type.kind !== 'OBJECT')
      const columns = fields.filter(({ type }) => ['SCALAR', 'ENUM'].includes(type.kind) && type.name !== 'JSON')
      return {
        name,
        fields: fields.map(({ column }) => column.name),
        columns: columns.map(({ column, type }) => ({
          name: column.name,
          type: `${type.name}${column.type.kind === 'NON_NULL' ? '!' : ''}`,
        })),
      }
    })
}

/** Rows of all pages in order, without their words: the rows here have others. */
async function walk({ name, columns }: List, orderBy: string, orderDirection: string): Promise<string[]> {
  const scalars = columns
    .filter(({ type }) => /^(String|Int|BigInt|Boolean)!?$/.test(type))
    .map((column) => column.name)
  const query = `query ($after: String) {
    ${name}(limit: ${LIMIT}, orderBy: "${orderBy}", orderDirection: "${orderDirection}", after: $after) {
      totalCount items { ${scalars.join(' ')} } pageInfo { hasNextPage endCursor } } }`
  const rows: string[] = []
  let after: string | null = null
  for (let more = true; more && rows.length <= ROWS; ) {
    const { body } = await api.ask(query, { variables: { after } })
    expect(body.errors, query).toBeUndefined()
    const { items, totalCount, pageInfo } = body.data[name]
    expect(totalCount).toBe(ROWS)
    rows.push(...items.map((item: Record<string, unknown>) => JSON.stringify(item)))
    more = pageInfo.hasNextPage
    after = pageInfo.endCursor
  }
  return rows
}

/** The columns by which a list is read: of its first type or of every third one, in turn, and in the deep tests all. */
function chooseColumns({ columns }: List, listIndex: number): Column[] {
  const ofEachType = [...new Map(columns.map((column) => [column.type, column])).values()]
  const everyThird = ofEachType.filter((_, index) => (index + listIndex) % 3 === 0)
  return byDepth(everyThird.length === 0 ? ofEachType.slice(0, 1) : everyThird, columns)
}

test('given every list, then all its columns can be read, and by those of every type pages add up to totalCount, in both directions', async () => {
  const lists = await findLists()
  expect(lists.length).toBe(Object.values(tables).filter((value) => is(value, PgTable)).length)
  for (const [listIndex, list] of lists.entries()) {
    const { body } = await api.ask(`{ ${list.name}(limit: 0) { items { ${list.fields.join(' ')} } } }`)
    expect(body.errors, list.name).toBeUndefined()
    for (const { name: orderBy } of chooseColumns(list, listIndex)) {
      for (const orderDirection of ['asc', 'desc']) {
        const rows = await walk(list, orderBy, orderDirection)
        expect(rows, `${list.name} by ${orderBy} ${orderDirection}`).toHaveLength(ROWS)
        expect(new Set(rows).size, `${list.name} by ${orderBy} ${orderDirection}`).toBe(ROWS)
      }
    }
  }
})

test('given a nullable column, the pages before the last row are the pages after the first, in both directions', async () => {
  const list = (await findLists()).find(({ name }) => name === 'tasks') ?? expect.fail('no tasks')
  const nullable = Object.entries(getTableColumns(tables.task)).filter(([, column]) => !column.notNull)
  const orders = nullable.map(([name]) => name).filter((name) => list.columns.some((column) => column.name === name))
  expect(orders).toContain('worker')
  for (const orderBy of orders) {
    for (const orderDirection of ['asc', 'desc']) {
      const query = `query ($after: String, $before: String) {
        tasks(limit: ${ROWS}, orderBy: "${orderBy}", orderDirection: "${orderDirection}", after: $after, before: $before) {
          items { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
      const ask = async (variables: object) => (await api.ask(query, { variables })).body.data.tasks
      const whole = await ask({})
      const after = await ask({ after: whole.pageInfo.startCursor })
      const before = await ask({ before: whole.pageInfo.endCursor })
      expect(after.items, `${orderBy} ${orderDirection}`).toEqual(whole.items.slice(1))
      expect(before.items, `${orderBy} ${orderDirection}`).toEqual(whole.items.slice(0, -1))
      expect([after.pageInfo.hasPreviousPage, after.pageInfo.hasNextPage]).toEqual([true, false])
      expect([before.pageInfo.hasPreviousPage, before.pageInfo.hasNextPage]).toEqual([false, true])
    }
  }
})

test('given a task with eleven events, then the eleventh is last, and each is found by its id', async () => {
  const event = {
    taskId: '0xee',
    name: 'TaskUpdated',
    subject: null,
    statusAfter: 'open',
    args: {},
    amount: null,
  } as const
  for (let ordinal = 0; ordinal < 11; ordinal += 1) {
    await insertRow(api.rows.sql, 'taskEvent', { id: `0xee:${ordinal}`, ordinal, ...event, ...aPosition() })
  }
  const { body } = await api.ask(`{
    all: taskEvents(where: { taskId: "0xee" }) { items { ordinal } }
    one: taskEvent(id: "0xee:10") { ordinal }
    same: taskEvents(where: { id: "0xee:10" }) { items { ordinal } }
    two: taskEvents(where: { id_in: ["0xee:10", "0xee:2", "0xef:0"] }) { items { ordinal } }
    none: taskEvents(where: { id: null }) { totalCount }
  }`)
  expect(body.errors).toBeUndefined()
  const ordinals = ({ items }: { items: { ordinal: number }[] }) => items.map(({ ordinal }) => ordinal)
  const { all, one, same, two, none } = body.data
  expect(ordinals(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect([one.ordinal, ...ordinals(same), ...ordinals(two), none.totalCount]).toEqual([10, 10, 2, 10, 0])
})
