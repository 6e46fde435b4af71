import type postgres from 'postgres'

/** A table whose rows are copied. Example: `{ schema: 'service', name: 'intents' }`. */
export interface CopiedTable {
  schema: string
  name: string
}

/** Adds the copies from one number to another, the latter not included. */
export type CopyRows = (range: { from: number; to: number }) => Promise<void>

export interface Copies {
  /** Addresses that all copies have in common, lower case. */
  fixed: readonly string[]
  /** The time of copy 0. Each copy is of one moment. */
  start: Date
  /** From one copy to the next. */
  stepSeconds: number
}

/** Place for the transactions of one copy in a nonce sequence. */
export const NONCES_A_COPY = 16
/** More than the milliseconds between the first task that is copied and the last one. */
const MS_A_COPY = 86_400_000
/** Copies that have the same wallets. */
const COPIES_A_WALLET = 10

/**
 * Keeps the rows of these tables as they are now, and makes the function that copies them, with ids, hashes and wallets of
 * their own: the same value of two tables becomes the same one in both. No trigger runs, and no key of another table is
 * looked up. A row of a wallet is there once.
 */
export async function prepareCopies(
  sql: postgres.Sql,
  tables: readonly CopiedTable[],
  copies: Copies,
): Promise<CopyRows> {
  const statements: string[] = []
  for (const table of tables) statements.push(...(await listStatements(sql, table, copies)))
  return async ({ from, to }) => {
    await sql`set session_replication_role = replica`
    for (const statement of statements) await sql.unsafe(statement, [from, to - 1])
    await sql`set session_replication_role = origin`
  }
}

interface Column {
  name: string
  type: string
}

/** Inserts copy after copy, all rows of each: as writes follow each other. None where the table has no row. */
async function listStatements(sql: postgres.Sql, { schema, name }: CopiedTable, copies: Copies): Promise<string[]> {
  // All columns but those that the database fills.
  const columns = await sql<Column[]>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = format('%I.%I', ${schema}::text, ${name}::text)::regclass
      and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    order by attnum`
  const table = `"${schema}"."${name}"`
  const names = columns.map((column) => `"${column.name}"`).join(', ')
  const texts = columns.map((column) => `"${column.name}"::text`).join(', ')
  const rows = await sql.unsafe<Record<string, string | null>[]>(`select ${texts} from ${table}`)
  const values = rows.map((row) =>
    columns.map((column) => `(${expressionOf(column, row[column.name] ?? null, copies)})::${column.type}`).join(', '),
  )
  if (rows.length === 0) return []
  return [
    `insert into ${table} (${names}) select copied.* from generate_series($1::int8, $2::int8) as n
      cross join lateral (values (${values.join('), (')})) as copied
      on conflict do nothing`,
  ]
}

/** The expression of a column in copy `n`. */
function expressionOf({ name, type }: Column, value: string | null, { fixed, start, stepSeconds }: Copies): string {
  if (value === null) return 'null'
  const literal = quote(value)
  // The forwarder consumes rising numbers of a process.
  if (name === 'chain_intent_id') {
    return `${quote(value.slice(0, 50))} || lpad(to_hex(n * 256 + ${BigInt(`0x${value.slice(50)}`)}), 16, '0')`
  }
  // Of one sequence each transaction has the next.
  if (name === 'nonce' && type === 'bigint') return `n * ${NONCES_A_COPY} + ${value}`
  // No two tasks have the same, and rows of a task are found by it.
  if (name.endsWith('created_at_ms')) return `${value} + n * ${MS_A_COPY}`
  if (type === 'timestamp with time zone') {
    return `timestamptz ${quote(start.toISOString())} + n * interval '${stepSeconds} seconds'`
  }
  if (type === 'uuid') return `md5(${literal} || n)::uuid`
  if (type === 'bytea') return freshBytes(value, fixed)
  return type === 'text' ? freshText(value, fixed) : `${literal}::${type}`
}

function freshText(value: string, fixed: readonly string[]): string {
  const [hash, prefix = ''] = /^(0x)[0-9a-f]{64}|^[0-9a-f]{64}$/.exec(value) ?? []
  if (hash !== undefined) {
    return `'${prefix}' || encode(${hashOf(hash, 'n')}, 'hex') || ${quote(value.slice(hash.length))}`
  }
  if (!/^0x[0-9a-f]{40}$/.test(value) || fixed.includes(value)) return quote(value)
  return `'0x' || left(encode(${walletHashOf(value)}, 'hex'), 40)`
}

/** The value is as PostgreSQL prints it: `\x` and digits. */
function freshBytes(value: string, fixed: readonly string[]): string {
  const digits = value.slice(2)
  if (digits.length === 64) return hashOf(digits, 'n')
  if (digits.length !== 40 || fixed.includes(`0x${digits}`)) return `${quote(value)}::bytea`
  return `substr(${walletHashOf(`0x${digits}`)}, 1, 20)`
}

function walletHashOf(address: string): string {
  return hashOf(address, `n / ${COPIES_A_WALLET}`)
}

/** Makes the same hash for a text with and without `0x`. */
function hashOf(text: string, number: string): string {
  return `sha256(${quote(text.replace(/^0x/, ''))}::bytea || int8send(${number}))`
}

function quote(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
