import fc from 'fast-check'
import type { Draft } from './draft.ts'

/** One mutation of a draft. `at` selects the place among the possible ones. */
export type Mutation = { at: number } & (
  | { kind: 'drop' | 'double' | 'nest' }
  | { kind: 'replace' | 'add'; name: string; value: unknown }
  | { kind: 'query'; name: string; value: string }
  | { kind: 'doubleQuery' | 'dropHeader' }
  | { kind: 'param' | 'header'; value: string }
)

const protoNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'then', 'toJSON']

/** Texts of an attacker or of a faulty client. */
export const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e',
  '\ufeff',
  '🦀'.repeat(300),
  'ﷺ'.repeat(100),
  'x'.repeat(3000),
  "' or 1=1 --",
  "'; drop table task; --",
  '$1',
  '%',
  '%%',
  '\\',
  '"',
  '`id`',
  '$(id)',
  '{{7*7}}',
  '%s%n',
  '../../etc/passwd',
  '..%2f..%2f',
  '/etc/passwd',
  'file:///etc/passwd',
  'C:\\',
  'a\r\nSet-Cookie: x=y',
  '\r\n\r\n',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '[]',
  '{}',
  '<script>alert(1)</script>',
  '-0',
  '1e999',
  '0x',
  '٣',
  '9'.repeat(78),
  '9'.repeat(79),
  '9'.repeat(400),
  '-1',
  '0',
  '00',
  '1.0',
  '+1',
  '1_000',
  String(2n ** 256n),
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  `0x${'0'.repeat(64)}`,
  `0x${'F'.repeat(64)}`,
  `0X${'1'.repeat(40)}`,
  '2030-02-30T00:00:00Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '1970-01-01',
  '2030-01-01T24:00:00Z',
  ...protoNames,
]

export const hostileNumbers = [
  0,
  -0,
  -1,
  0.5,
  1e-320,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  2 ** 96,
  101,
  10_001,
]

const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)
const hostileValue = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...hostileNumbers) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 5 }, { toString: 1 }),
  },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 60 }) },
)
/** A value of another type, or beyond a bound. */
const wrongValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, true, 0, -1, 1e21, '', '1', 'x'.repeat(10_001), [], {}, Array(60).fill('x')),
)
const at = fc.nat(1000)
const fieldName = fc.oneof(fc.constantFrom('surplus', 'taskId', 'worker', ...protoNames), fc.string({ maxLength: 20 }))

const mutationsBy = (value: fc.Arbitrary<unknown>, text: fc.Arbitrary<string>): fc.Arbitrary<Mutation> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ at, kind: fc.constant('replace' as const), name: fc.constant(''), value }) },
    { weight: 2, arbitrary: fc.record({ at, kind: fc.constant('add' as const), name: fieldName, value }) },
    {
      weight: 3,
      arbitrary: fc.record({ at, kind: fc.constantFrom('drop' as const, 'double' as const, 'nest' as const) }),
    },
    { weight: 2, arbitrary: fc.record({ at, kind: fc.constantFrom('doubleQuery' as const, 'dropHeader' as const) }) },
    { weight: 2, arbitrary: fc.record({ at, kind: fc.constant('query' as const), name: fieldName, value: text }) },
    {
      weight: 2,
      arbitrary: fc.record({ at, kind: fc.constantFrom('param' as const, 'header' as const), value: text }),
    },
  )

/** Requests of a faulty client. */
export const mistakes = fc.array(mutationsBy(wrongValue, fc.string({ maxLength: 30 })), { minLength: 1, maxLength: 3 })
/** Requests of an attacker. */
export const attacks = fc.array(mutationsBy(hostileValue, hostileText), { minLength: 1, maxLength: 3 })

/** The mutated draft; the argument is not changed. */
export function spoil(draft: Draft, mutations: readonly Mutation[]): Draft {
  const spoilt = structuredClone({ ...draft, payer: null })
  for (const mutation of mutations) spoilBy(spoilt, mutation)
  return { ...spoilt, payer: draft.payer }
}

function spoilBy(draft: Draft, mutation: Mutation): void {
  switch (mutation.kind) {
    case 'query': {
      const names = [...new Set(draft.query.map(([name]) => name)), mutation.name]
      draft.query.push([names[mutation.at % names.length] ?? mutation.name, mutation.value])
      return
    }
    case 'doubleQuery': {
      const pair = draft.query[mutation.at % Math.max(1, draft.query.length)]
      if (pair !== undefined) draft.query.push(pair, [`${pair[0]}[]`, pair[1]])
      return
    }
    case 'dropHeader': {
      const name = pickKey(draft.headers, mutation.at)
      if (name !== undefined) delete draft.headers[name]
      return
    }
    case 'header':
    case 'param': {
      const fields = mutation.kind === 'param' ? draft.params : draft.headers
      const name = pickKey(fields, mutation.at)
      if (name !== undefined) fields[name] = mutation.value
      return
    }
    default:
      spoilBody(draft, mutation)
  }
}

/** A value of the body's tree: its parent, and its key. */
interface Place {
  holder: Record<string, unknown>
  key: string
}

function spoilBody(
  draft: Draft,
  mutation: Extract<Mutation, { kind: 'drop' | 'double' | 'nest' | 'replace' | 'add' }>,
) {
  const root: Record<string, unknown> = { body: draft.body }
  const places = listPlaces(root)
  const { holder, key } = places[mutation.at % places.length] ?? { holder: root, key: 'body' }
  const value = holder[key]
  if (mutation.kind === 'replace') define(holder, key, structuredClone(mutation.value))
  if (mutation.kind === 'drop') delete holder[key]
  if (mutation.kind === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    define(value as Record<string, unknown>, mutation.name, structuredClone(mutation.value))
  }
  if (mutation.kind === 'double') define(holder, key, Array.isArray(value) ? [...value, ...value] : [value, value])
  if (mutation.kind === 'nest') {
    let nested = value
    for (let depth = 0; depth < 1 + (mutation.at % 80); depth += 1) nested = { [key]: nested }
    define(holder, key, nested)
  }
  draft.body = root.body
}

function listPlaces(root: Record<string, unknown>): Place[] {
  const places: Place[] = []
  const walk = (holder: Record<string, unknown>, depth: number) => {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key })
      const value = holder[key]
      if (depth < 4 && typeof value === 'object' && value !== null) walk(value as Record<string, unknown>, depth + 1)
    }
  }
  walk(root, 0)
  return places
}

/** Sets an own field of any name: JSON has no prototypes. */
function define(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

function pickKey(fields: Record<string, string>, at: number): string | undefined {
  const names = Object.keys(fields)
  return names[at % Math.max(1, names.length)]
}
