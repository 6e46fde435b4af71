import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readFiles, toInlineInput } from '../../../client/src/cli/submit.ts'
import { toArtifact, typeOfFile } from '../../../client/src/files/type-of-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-types-'))
afterAll(() => rmSync(directory, { recursive: true }))

const text = new TextEncoder().encode('a = 1\n')
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

/** Files that people deliver: a name, and a word that its type contains. */
const delivered: [string, RegExp][] = [
  ['index.ts', /^text\//],
  ['main.py', /^text\//],
  ['Market.sol', /^text\//],
  ['deploy.sh', /sh$/],
  ['analysis.ipynb', /json$/],
  ['compose.yaml', /yaml$/],
  ['compose.YML', /yaml$/],
  ['README', /^text\//],
  ['LICENSE', /^text\//],
  ['Dockerfile', /^text\//],
  ['notes', /^text\//],
  ['logo.webp', /^image\/webp$/],
  ['photo.JPG', /^image\/jpeg$/],
  ['README.md', /^text\/markdown$/],
  ['data.parquet', /parquet$/],
  ['report.pdf', /^application\/pdf$/],
  ['a.b.tar.gz', /gzip$/],
]

describe('The type of a delivered file', () => {
  test.each(delivered)('given %s, then its name is enough: %s', async (name, type) => {
    expect(typeOfFile(name, text)).toMatch(type)
    expect(toArtifact(name, text)).toMatchObject({ fileName: name, mimeType: typeOfFile(name, text) })
    writeFileSync(join(directory, name), text)
    const input = toInlineInput('0x1', await readFiles([join(directory, name)]))
    expect(input?.artifacts).toEqual([
      { fileName: name, mimeType: typeOfFile(name, text), file: Buffer.from(text).toString('base64') },
    ])
  })

  test.each([
    ['89504e470d0a1a0a00', 'image/png'],
    ['ffd8ffe000', 'image/jpeg'],
    ['524946460000000057454250', 'image/webp'],
    ['255044462d312e37', 'application/pdf'],
    ['504b0304', 'application/zip'],
    ['c3a4c3b6', 'text/plain'],
    ['c3', 'application/octet-stream'],
    ['6100', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('given a name that says nothing and the bytes %s, then %s', (hex, type) => {
    for (const name of ['file', 'file.unheard', '__proto__', 'x.constructor', 'x.']) {
      expect(typeOfFile(name, bytesOf(hex))).toBe(type)
    }
  })

  test('given bytes of any length, then base64 holds them', () => {
    for (const length of [0, 1, 2, 3, 0x8000, 0x8001, 100_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) % 256)
      expect(toArtifact('x.bin', bytes).file).toBe(Buffer.from(bytes).toString('base64'))
    }
  })
})
