import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectDatabase, type Database, isDatabaseUnavailable } from '../../../api/db/client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

/** The first byte of a message of the protocol that has a statement: Parse. */
const PARSE = 'P'.charCodeAt(0)

let database: TestDatabase
let server: Server
let sql: Database
let breaksAtStatements = false
const unhandled = vi.fn<(error: unknown) => void>()

beforeAll(async () => {
  database = await createTestDatabase()
  const target = new URL(database.url)
  server = createServer((client) => forward(client, { host: target.hostname, port: Number(target.port) }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  sql = connectDatabase({ url: url.href, max: 4 })
  process.on('unhandledRejection', unhandled)
})
afterAll(async () => {
  process.off('unhandledRejection', unhandled)
  await sql.end({ timeout: 1 })
  server.close()
  await database.drop()
})

/** Resets the connection when its first statement comes. */
function forward(client: Socket, target: { host: string; port: number }): void {
  const upstream = connect(target)
  client.on('data', (bytes) => {
    if (breaksAtStatements && bytes[0] === PARSE) client.resetAndDestroy()
    else upstream.write(bytes)
  })
  upstream.pipe(client)
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    socket.on('error', () => other.destroy())
    socket.on('close', () => other.destroy())
  }
}

describe('given new connections break as soon as a statement comes', () => {
  it('then each caller is told, no other error appears, and later statements succeed', async () => {
    breaksAtStatements = true
    const callers = [
      sql`select 1`,
      sql.begin((tx) => tx`select 2`),
      sql.byKey`select 3`,
      sql.begin('read only', (tx) => tx`select 4`),
    ]
    const outcomes = await Promise.allSettled(callers)
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && isDatabaseUnavailable(outcome.reason), JSON.stringify(outcome)).toBe(true)
    }
    breaksAtStatements = false
    expect(await sql`select 5 as value`).toEqual([{ value: 5 }])
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('arrays', () => {
  it('are sent and read without a statement that asks the server for their types', async () => {
    const texts = ['a', 'b,c', '"quoted"', 'back\\slash', '{brace}', 'NULL', '', ' ', 'ä 🏁']
    const [row] = await sql`
      select
        ${texts}::text[] as texts,
        ${['4f6e0c4c-5d43-4d8e-a8a5-0f29b5e1a6d1']}::uuid[] as ids,
        array[1, 2]::int4[] as numbers,
        array[9007199254740993, -1]::int8[] as big_numbers,
        array[99999999999999999999, 0]::numeric[] as amounts,
        array[true, false] as flags,
        array['a', null]::text[] as with_null,
        array[]::text[] as empty,
        array[array['a', 'b'], array['c', 'd']] as nested,
        'b,c' = any(${texts}) as is_found
    `
    expect(row).toEqual({
      texts,
      ids: ['4f6e0c4c-5d43-4d8e-a8a5-0f29b5e1a6d1'],
      numbers: [1, 2],
      bigNumbers: [9007199254740993n, -1n],
      amounts: [99999999999999999999n, 0n],
      flags: [true, false],
      withNull: ['a', null],
      empty: [],
      nested: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      isFound: true,
    })
  })

  it.each([[undefined], [new Date(0)]])(
    'with an element without a text of its own, as %s, are refused',
    async (value) => {
      await expect(sql`select ${['a', value] as string[]}::text[]`).rejects.toThrow(TypeError)
    },
  )
})
