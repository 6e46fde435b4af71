import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { SpooledFile } from '../../../api/artifacts/received-file.ts'
import { anonymousFilesIn, createSpool, type Spool } from '../../../api/artifacts/temporary-file.ts'
import { decodeBase64 } from '../../../api/domain/artifacts/base64.ts'
import { putFiles, toFiles } from '../../../api/http/bodies/put-files.ts'
import { JsonSplitter } from '../../../api/http/json-parts/json-splitter.ts'
import { byDepth } from '../../support/depth.ts'
import { readAll } from '../../support/read-all.ts'
import { cutAt } from './cut-bytes.ts'

/** Longer texts are files. */
const LONG = 12

const directory = await mkdtemp(join(tmpdir(), 'task-market-spool-'))
afterAll(() => rm(directory, { recursive: true }))

const withSpool = async (work: (spool: Spool) => Promise<void>) => {
  const spool = createSpool(anonymousFilesIn(directory))
  try {
    await work(spool)
  } finally {
    await spool.close()
  }
}

/** The value of a body in pieces. @throws when it is no JSON */
async function parse(pieces: readonly Buffer[], spool: Spool): Promise<unknown> {
  const splitter = new JsonSplitter(spool, LONG)
  for (const piece of pieces) {
    splitter.push(piece)
    await spool.flush()
  }
  await spool.flush({ all: true })
  const { skeleton, texts, isBroken } = splitter.finish()
  if (isBroken) throw new Error('no JSON')
  return putFiles(parseWhole(skeleton), toFiles(spool, texts))
}

const parseWhole = (bytes: Buffer): unknown => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))

/** Whether both are the same except for the long texts, which are the files they encode. */
async function expectSame(got: unknown, wanted: unknown): Promise<void> {
  if (got instanceof SpooledFile) {
    if (typeof wanted !== 'string') throw new Error('a file where there is no text')
    const bytes = decodeBase64(wanted)
    expect(got.isBase64, wanted).toBe(bytes !== null)
    expect(await readAll(got.bytes())).toEqual(Buffer.from(bytes ?? []))
  } else if (typeof wanted === 'object' && wanted !== null) {
    expect(Object.keys(got as object)).toEqual(Object.keys(wanted))
    for (const [name, value] of Object.entries(wanted)) {
      await expectSame(Object.entries(got as object).find(([known]) => known === name)?.[1], value)
    }
  } else {
    expect(got).toBe(wanted)
  }
  // The length of an ASCII text alone decides.
  if (typeof wanted === 'string' && /^\p{ASCII}*$/u.test(wanted)) {
    expect(got instanceof SpooledFile).toBe(wanted.length > LONG)
  }
}

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.string({ unit: fc.constantFrom(...'Aa+/="\\\n\u00e9'), maxLength: 40 }),
)
const names = fc.oneof(fc.string({ unit: 'binary-ascii', maxLength: LONG }), fc.constant('__proto__'))
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: texts },
    fc.constantFrom(null, true, false, 0, -1.5e30),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}))
const cuts = fc.array(fc.nat(), { maxLength: 12 })

/** The value's JSON, its texts escaped one way or another, with space between the parts. */
const documents = fc.tuple(values, fc.infiniteStream(fc.nat({ max: 9 }))).map(([value, choices]) => {
  const choose = () => choices.next().value ?? 0
  const write = (text: string) => `"${text.split('').map(printUnit).join('')}"`
  const printUnit = (unit: string) => {
    const asJson = JSON.stringify(unit).slice(1, -1)
    const choice = choose()
    if (choice === 0) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    if (choice === 1 && unit === '/') return '\\/'
    return /[\ud800-\udfff]/.test(unit) ? `\\u${unit.charCodeAt(0).toString(16)}` : asJson
  }
  const print = (item: unknown): string => {
    const space = ' \n'.repeat(choose() === 0 ? 1 : 0)
    if (typeof item === 'string') return space + write(item)
    if (Array.isArray(item)) return `${space}[${item.map(print).join(',')}${space}]`
    if (typeof item !== 'object' || item === null) return space + JSON.stringify(item)
    return `{${Object.entries(item).map(([name, inner]) => `${space}${write(name)}${space}:${print(inner)}`)}}`
  }
  return Buffer.from(print(value))
})

test('given any JSON in any chunks, then its value is that of the whole, its long texts the files they encode', async () => {
  await fc.assert(
    fc.asyncProperty(documents, cuts, (document, at) =>
      withSpool(async (spool) => expectSame(await parse(cutAt(document, at), spool), parseWhole(document))),
    ),
    { numRuns: byDepth(60, 500) },
  )
  expect(await readdir(directory)).toEqual([])
})

test('given JSON with a byte replaced or cut off, then it is JSON in chunks exactly when it is as a whole', async () => {
  const wrongBytes = fc.constantFrom(...Buffer.from('"\\u/{}[],:0nA\n\0\xff', 'latin1'), 0xc3, 0xe2)
  await fc.assert(
    fc.asyncProperty(documents, fc.nat(), fc.option(wrongBytes), cuts, (document, place, wrong, at) =>
      withSpool(async (spool) => {
        const position = place % (document.length + 1)
        const broken =
          wrong === null
            ? document.subarray(0, position)
            : Buffer.concat([document.subarray(0, position), Buffer.of(wrong), document.subarray(position + 1)])
        let whole: unknown
        try {
          whole = parseWhole(broken)
        } catch {
          await expect(parse(cutAt(broken, at), spool)).rejects.toThrow()
          return
        }
        fc.pre(!hasLongName(whole))
        await expectSame(await parse(cutAt(broken, at), spool), whole)
      }),
    ),
    { numRuns: byDepth(120, 1_000) },
  )
})

function hasLongName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => Buffer.byteLength(name) > LONG || hasLongName(inner))
}

test('given a long text cut within each of its escapes, then it is the file of the whole text', async () => {
  const document = Buffer.from('{"a":"QUJD\\u002b\\/\\u0051UJDREVGR0hJSktMTU5P","b":["QUJDREVGR0hJSktM\\u000a"]}')
  const whole = parseWhole(document)
  for (let first = 0; first <= document.length; first += 1) {
    await withSpool(async (spool) => expectSame(await parse(cutAt(document, [first, first + 1]), spool), whole))
  }
})

test('given a long text that ends within a character, then it is no JSON', async () => {
  const document = Buffer.concat([Buffer.from(`["${'A'.repeat(LONG)}`), Buffer.of(0xe2, 0x82), Buffer.from('"]')])
  await withSpool(async (spool) => expect(parse([document], spool)).rejects.toThrow('no JSON'))
})

test('given a long text that turns out to be no base64, then none of its bytes are kept', async () => {
  await withSpool(async (spool) => {
    const splitter = new JsonSplitter(spool, LONG)
    splitter.push(Buffer.from(`["${'A'.repeat(400_000)}`))
    await spool.flush()
    expect(spool.sizeBytes).toBe(300_000)
    splitter.push(Buffer.from(' ","QUJDQUJDQUJDQUJD"]'))
    await spool.flush({ all: true })
    expect(spool.sizeBytes).toBe(12)
    const [, file] = toFiles(spool, splitter.finish().texts).values()
    expect(file && (await readAll(file.bytes())).toString()).toBe('ABCABCABCABC')
  })
})

test('given two bodies, then the marker of a file of one has no meaning in the other', async () => {
  const skeletonOf = (text: string, spool: Spool) => {
    const splitter = new JsonSplitter(spool, LONG)
    splitter.push(Buffer.from(text))
    return splitter.finish()
  }
  await withSpool(async (spool) => {
    const first = skeletonOf(JSON.stringify({ file: 'A'.repeat(LONG * 2) }), spool)
    const [marker] = first.texts.keys()
    const forged = JSON.stringify({ text: marker, file: 'A'.repeat(LONG * 2) })
    const splitter = new JsonSplitter(spool, 1_000)
    splitter.push(Buffer.from(forged))
    const second = splitter.finish()
    expect(putFiles(parseWhole(second.skeleton), toFiles(spool, second.texts))).toEqual(JSON.parse(forged))
    expect([...skeletonOf(forged, spool).texts.keys()]).not.toContain(marker)
  })
})

test('given a name beyond the limit, then the body is refused', async () => {
  await withSpool(async (spool) => {
    const document = Buffer.from(JSON.stringify({ ['n'.repeat(LONG + 1)]: 1 }))
    await expect(parse([document], spool)).rejects.toMatchObject({ status: 400 })
  })
})
