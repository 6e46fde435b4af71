import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { fixedColumns } from '../../../api/tabular/fixed-columns.ts'
import { parquetStream } from '../../../api/tabular/parquet.ts'

const numeric = { typeId: 1700, typeModifier: -1 }
/** `numeric(78)`, the columns of amounts in `market`, and `numeric(10,2)`. */
const whole = { typeId: 1700, typeModifier: (78 << 16) + 4 }
const cents = { typeId: 1700, typeModifier: (10 << 16) + 2 + 4 }
const time = { typeId: 1184, typeModifier: -1 }
const [bigint, text, boolean] = [20, 25, 16].map((typeId) => ({ typeId, typeModifier: -1 }))

const scales: Record<string, number> = { amount: 0, amount_usdc: 6, amount_units: 18, price: 2, win_rate: 18 }

test.each([
  ['amount', whole, '79228162514264337593543950335', 79_228_162_514_264_337_593_543_950_335n, null],
  ['amount', whole, '0', 0n, null],
  ['amount', numeric, '-5', -5n, null],
  ['amount', numeric, '5.000', 5n, null],
  ['amount', whole, '9'.repeat(38), 10n ** 38n - 1n, null],
  ['amount', whole, `1${'0'.repeat(38)}`, null, `1${'0'.repeat(38)}`],
  ['amount', whole, `-1${'0'.repeat(38)}`, null, `-1${'0'.repeat(38)}`],
  ['amount', numeric, '1.5', null, '1.5'],
  ['amount', numeric, 'NaN', null, 'NaN'],
  ['amount_units', numeric, '1.5', 15n * 10n ** 17n, null],
  ['amount_units', numeric, '0.0000000000000000001', null, '0.0000000000000000001'],
  ['amount_units', numeric, '9'.repeat(21), null, '9'.repeat(21)],
  ['amount_usdc', numeric, '1.5', 1_500_000n, null],
  ['win_rate', numeric, '0.25', 25n * 10n ** 16n, null],
  ['price', cents, '1.25', 125n, null],
  ['amount', whole, null, null, null],
])('given the %s %j of %s, then the decimal is %s, or the text is', (name, type, value, decimal, unfit) => {
  expect(fixedColumns([{ name, ...type }], [[value]])).toEqual([
    { name, kind: 'decimal', scale: scales[name], values: [decimal] },
    { name: `${name}_text`, kind: 'text', values: [unfit] },
  ])
})

test.each([
  ['2026-11-28 00:00:00+00', 1_795_824_000_000_000n],
  ['2026-11-28 00:00:00.000001+00', 1_795_824_000_000_001n],
  ['infinity', null],
  ['10000-01-01 00:00:00+00', null],
])('given the time %s, then it is %s', (value, microseconds) => {
  expect(fixedColumns([{ name: 'at', ...time }], [[value]])).toEqual([
    { name: 'at', kind: 'time', values: [microseconds] },
  ])
})

test('given row groups, then a reader gets the rows of all of them, and of an empty file the columns', async () => {
  const columns = [
    { name: 'id', ...text },
    { name: 'listed', ...boolean },
    { name: 'number', ...bigint },
    { name: 'amount', ...whole },
    { name: 'day', typeId: 1082 },
  ].map((column) => ({ typeId: 25, typeModifier: -1, ...column }))
  const file = (groups: (string | null)[][][]) => {
    const stream = parquetStream(fixedColumns(columns, []))
    return Buffer.concat([...groups.map((rows) => stream.addRows(fixedColumns(columns, rows))), stream.end()])
  }
  const read = async (bytes: Buffer) =>
    await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    })
  const rows = await read(
    file([
      [
        ['a', 't', '9007199254740993', '1', '2026-11-28'],
        ['b', null, null, null, null],
      ],
      [['c', 'f', '-1', '2', '1969-12-31']],
    ]),
  )
  expect(
    rows.map(({ id, listed, number, amount_text, day }) => [id, listed, number, amount_text ?? day ?? null]),
  ).toEqual([
    ['a', true, 9_007_199_254_740_993n, new Date('2026-11-28')],
    ['b', null, null, null],
    ['c', false, -1n, new Date('1969-12-31')],
  ])
  expect(await read(file([]))).toEqual([])
})
