import { expect, test } from 'vitest'
import type { Queryable } from '../../../api/db/client.ts'
import { run, statement, toStatementText } from '../../../api/db/statement-text.ts'

test('parts within parts become one text, with the parameters in the order of the text', () => {
  const inner = statement`b = ${'two'} and c = any(${['x', 'y']})`
  const outer = statement`select a from t where a = ${1n} and ${inner} and d = ${null} limit ${21}`
  expect(toStatementText(outer)).toEqual({
    text: 'select a from t where a = $1 and b = $2 and c = any($3) and d = $4 limit 21',
    values: [1n, 'two', ['x', 'y'], null],
  })
})

test('a part that is used twice has its parameters twice', () => {
  const part = statement`x = ${'one'}`
  expect(toStatementText(statement`${part} or ${part}`)).toEqual({ text: 'x = $1 or x = $2', values: ['one', 'one'] })
})

test('a text of a caller is never part of the statement, whatever it is', () => {
  const hostile = `'; drop table task; --`
  expect(toStatementText(statement`select ${hostile}`)).toEqual({ text: 'select $1', values: [hostile] })
})

test('numbers that are no whole numbers, and parts of another tag, are refused', () => {
  expect(() => toStatementText(statement`limit ${Number.NaN}`)).toThrow('no whole number')
  expect(() => toStatementText(statement`limit ${1.5}`)).toThrow('no whole number')
  expect(() => toStatementText({ strings: ['select 1'] })).toThrow('not written with its tag')
})

test('a pool prepares the first 200 texts, and these go on to be prepared; each pool has its own', async () => {
  const asked: boolean[] = []
  const aPool = () =>
    ({
      unsafe: (_text: string, _values: unknown[], { prepare, simple }: { prepare: boolean; simple: boolean }) => {
        expect(simple).toBe(false)
        asked.push(prepare)
        return Promise.resolve([])
      },
    }) as unknown as Queryable
  const pool = aPool()
  for (let size = 0; size < 250; size += 1) await run(pool, statement`select 1 limit ${size}`)
  expect(asked).toEqual([...Array(200).fill(true), ...Array(50).fill(false)])
  asked.length = 0
  await run(pool, statement`select 1 limit ${0}`)
  await run(aPool(), statement`select 1 limit ${249}`)
  expect(asked).toEqual([true, true])
})
