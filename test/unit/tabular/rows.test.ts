import { tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { arrowStream } from '../../../api/tabular/arrow.ts'
import { csvHeader, csvRowWriter } from '../../../api/tabular/csv-rows.ts'
import { jsonRowWriter } from '../../../api/tabular/json-rows.ts'
import { parquetFile } from '../../../api/tabular/parquet.ts'
import { typedColumns } from '../../../api/tabular/typed-columns.ts'

const TEXT = 25
const NUMERIC = 1700
const BIGINT = 20
const TIMESTAMPTZ = 1184
const TEXT_ARRAY = 1009

type Nested = string | null | Nested[]

/** As PostgreSQL writes an array (`array_out`). */
function writeArray(value: Nested): string {
  if (value === null) return 'NULL'
  if (Array.isArray(value)) return `{${value.map(writeArray).join(',')}}`
  const isQuoted = value === '' || /^null$/i.test(value) || /[{},"\\\s]/.test(value)
  return isQuoted ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('\\', '"', ',', '{', '}', '=', ' ', '\n', 'a', '😀', '<', '\u202e') }),
  fc.constantFrom('NULL', 'null', '', '[0:1]={a}'),
)

test('given any array of texts, then its JSON is the same array', () => {
  const element = fc.option(text)
  const write = jsonRowWriter([{ name: 'a', typeId: TEXT_ARRAY }])
  fc.assert(
    fc.property(fc.array(fc.oneof(element, fc.array(element, { minLength: 1 }))), (values) => {
      expect(JSON.parse(write([writeArray(values)]))).toEqual({ a: values })
      expect(JSON.parse(write([`[0:${values.length}]=${writeArray(values)}`]))).toEqual({ a: values })
    }),
  )
})

test('given any texts, then a row is one line of JSON, and its CSV has no cell that begins a formula', () => {
  const columns = [
    { name: 'a', typeId: TEXT },
    { name: 'b "x", y', typeId: TEXT },
  ]
  fc.assert(
    fc.property(fc.option(text), fc.option(text), (a, b) => {
      const json = jsonRowWriter(columns)([a, b])
      expect(json).not.toMatch(/[\n\r<\u202e]/)
      expect(JSON.parse(json)).toEqual({ a, 'b "x", y': b })
      expect(csvRowWriter(columns.slice(1))([b])).not.toMatch(/^"?\s*[=+@]/)
    }),
  )
  expect(csvHeader(columns)).toBe('a,"b ""x"", y"\r\n')
})

/** As PostgreSQL writes a `numeric` of a scale. */
function numericText(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${value < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`
}

const most = 10n ** 38n - 1n

test('given numbers of at most 38 digits, then Parquet and Arrow have them exactly', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.bigInt({ min: -most, max: most })), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 18 }),
      async (values, scale) => {
        const rows = values.map((value) => [value === null ? null : numericText(value, scale)])
        const columns = typedColumns([{ name: 'n', typeId: NUMERIC }], rows)
        const hasValue = values.some((value) => value !== null)
        expect(columns[0]).toEqual({ name: 'n', kind: 'decimal', scale: hasValue ? scale : 0, values })
        const vector = tableFromIPC(arrowStream(columns)).getChild('n')
        const read = Array.from({ length: values.length }, (_, index) => {
          const words: Uint32Array | null | undefined = vector?.get(index)
          if (words === null || words === undefined) return null
          return BigInt.asIntN(
            128,
            [...words].reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
          )
        })
        expect(read).toEqual(values)
      },
    ),
    { numRuns: 50 },
  )
})

test('given a number of 39 digits, an infinite time or an array, then the column is a text', () => {
  const columns = [NUMERIC, NUMERIC, TIMESTAMPTZ, TEXT_ARRAY].map((typeId, index) => ({ name: `c${index}`, typeId }))
  const typed = typedColumns(columns, [[`1${'0'.repeat(38)}`, 'NaN', 'infinity', '{a,b}']])
  expect(typed.map(({ kind }) => kind)).toEqual(['text', 'text', 'text', 'text'])
})

test('given rows, then a Parquet file has their values', async () => {
  const columns = [TEXT, BIGINT, TIMESTAMPTZ, 16, 701, NUMERIC].map((typeId, index) => ({ name: `c${index}`, typeId }))
  const rows = [
    ['a', '9223372036854775807', '2026-01-02 03:04:05.678+00', 't', '0.5', '5000000'],
    [null, null, null, null, null, null],
  ]
  const { buffer } = parquetFile(typedColumns(columns, rows)).slice()
  expect(await parquetReadObjects({ file: buffer as ArrayBuffer })).toEqual([
    {
      c0: 'a',
      c1: 9_223_372_036_854_775_807n,
      c2: new Date('2026-01-02T03:04:05.678Z'),
      c3: true,
      c4: 0.5,
      c5: 5_000_000,
    },
    { c0: null, c1: null, c2: null, c3: null, c4: null, c5: null },
  ])
})
