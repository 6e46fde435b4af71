import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFileHasher } from '../../../api/artifacts/hashing/file-hasher.ts'
import { anonymousFilesIn, createSpool } from '../../../api/artifacts/temporary-file.ts'
import type { AnyWrite } from '../../../api/writes/relayed-write.ts'
import { fingerprintOf } from '../../../api/writes/stages/fingerprint.ts'
import { aSpooledFile } from '../../support/spooled-file.ts'

const secret = 'a secret of the tests, long enough'
const write = { operation: 'tasks.create', path: '/tasks' } as AnyWrite
const of = (body: unknown) => fingerprintOf(write, { params: {}, body }, secret).toString('hex')

const value = fc.jsonValue({ maxDepth: 3 })

describe('fingerprintOf', () => {
  it('given the same fields in another order, then the same fingerprint', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value, { maxKeys: 8 }), (body) => {
        expect(of(Object.fromEntries(Object.entries(body).reverse()))).toBe(of(body))
      }),
    )
  })

  it('given bodies that differ, then fingerprints that differ', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        // JSON has no -0.
        fc.pre(JSON.stringify(sorted(a)) !== JSON.stringify(sorted(b)))
        expect(of(a)).not.toBe(of(b))
      }),
    )
  })

  it.each([
    ['a text and a number', '1', 1],
    ['a number and a bigint', 1, 1n],
    ['a text and bytes', 'ab', new TextEncoder().encode('ab')],
    ['a list and an object', ['a'], { 0: 'a' }],
    ['one text and two', ['ab', 'c'], ['a', 'bc']],
    ['null and nothing', { a: null }, {}],
  ])('given %s, then they differ', (_name, a, b) => {
    expect(of(a)).not.toBe(of(b))
  })

  it('given files as long texts, then their content alone decides', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'task-market-spool-'))
    const [spool, hasher] = [createSpool(anonymousFilesIn(directory)), createFileHasher()]
    try {
      const aFile = (text: string) => aSpooledFile(Buffer.from(text), { spool, hasher })
      const [first, same, other] = [await aFile('one'), await aFile('one'), await aFile('two')]
      expect(of({ file: first })).toBe(of({ file: same }))
      expect(of({ file: first })).not.toBe(of({ file: other }))
      expect(of({ file: first })).not.toBe(of({ file: Buffer.from('one') }))
    } finally {
      await hasher.stop()
      await spool.close()
      await rm(directory, { recursive: true })
    }
  })

  it('given a field without a value, then it is the same as without the field', () => {
    expect(of({ a: 1, b: undefined })).toBe(of({ a: 1 }))
  })
})

function sorted(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sorted)
  if (typeof json !== 'object' || json === null) return Object.is(json, -0) ? 0 : json
  return Object.entries(json)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, sorted(field)])
    .concat([['object', true]])
}
