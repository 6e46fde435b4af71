import type { Row } from 'postgres'
import type { Queryable } from './client.ts'

/** A statement for the server: its whole text, and the values of its parameters. */
interface StatementText {
  text: string
  values: Value[]
}

type Value = string | bigint | boolean | null | string[]

/**
 * The tag of statements that are built as text and sent by `run`: nested parts take the driver several times as long
 * (measured: 0.25 ms for the statement of a page). Functions that write a part with a pool's tag work with it too; it
 * has no other feature of a pool. Numbers become part of the text, so they must have few values: a kept plan estimates
 * an unknown limit as a large one (measured: 48 ms).
 */
export const statement = ((strings: TemplateStringsArray, ...values: unknown[]) =>
  new StatementPart(strings, values)) as unknown as Queryable

/**
 * The texts that a pool's connections prepare: each keeps them until it ends, some 50 kB a text, and callers choose the
 * filters in them. Further texts are parsed at each use, which takes one more round trip.
 */
const MAX_PREPARED = 200

const preparedTexts = new WeakMap<object, Set<string>>()

/** Runs a statement of `statement`, which its connections prepare once (`MAX_PREPARED`). */
export async function run<Rows extends readonly Row[]>(sql: Queryable, part: PromiseLike<unknown>): Promise<Rows> {
  const { text, values } = toStatementText(part)
  // Without `simple: false` a statement without values is planned every time.
  return (await sql.unsafe(
    text,
    values as never[],
    { prepare: isPrepared(sql, text), simple: false } as object,
  )) as never
}

function isPrepared(pool: object, text: string): boolean {
  const texts = preparedTexts.get(pool) ?? new Set()
  preparedTexts.set(pool, texts)
  if (!texts.has(text) && texts.size < MAX_PREPARED) texts.add(text)
  return texts.has(text)
}

/** Returns the text and values of a part. @throws for anything but a part of `statement` */
export function toStatementText(part: unknown): StatementText {
  if (!(part instanceof StatementPart)) throw new Error('the statement was not written with its tag')
  const values: Value[] = []
  return { text: part.write(values), values }
}

class StatementPart {
  readonly #strings: readonly string[]
  readonly #values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.#strings = strings
    this.#values = values
  }

  /** Returns the text of the part with parameters numbered after those in `values`, and appends its own. */
  write(values: Value[]): string {
    let text = this.#strings[0] ?? ''
    for (const [place, value] of this.#values.entries()) {
      text += writeValue(value, values) + (this.#strings[place + 1] ?? '')
    }
    return text
  }
}

function writeValue(value: unknown, values: Value[]): string {
  if (value instanceof StatementPart) return value.write(values)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`)
    return String(value)
  }
  return `$${values.push(value as Value)}`
}
