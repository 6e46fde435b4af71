import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { keccak256 } from 'viem'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createFileHasher } from '../../../api/artifacts/hashing/file-hasher.ts'
import { type FileHasher, HashingFailed } from '../../../api/artifacts/hashing/file-hashes.ts'

const directory = await mkdtemp(join(tmpdir(), 'task-market-hasher-'))
afterAll(() => rm(directory, { recursive: true }))

const started: FileHasher[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((hasher) => hasher.stop()))
})
function aHasher(url?: URL): FileHasher {
  const hasher = createFileHasher(url)
  started.push(hasher)
  return hasher
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const hashesOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  sha256Hash: createHash('sha256').update(bytes).digest('hex'),
  keccak256Hash: keccak256(bytes),
})

test('given many files at once, in chunks of any size, then each has its own hashes and keeps its bytes', async () => {
  const hasher = aHasher()
  const files = Array.from({ length: 12 }, (_, index) => Buffer.alloc(index * 50_001, `file ${index} `))
  const hashes = await Promise.all(files.map((bytes, index) => hasher.hash(chunksOf(bytes, 1_000 + index * 99_999))))
  expect(hashes).toEqual(files.map(hashesOf))
})

test('given files that begin while others are hashed, then none affects another', async () => {
  const hasher = aHasher()
  const files = Array.from({ length: 6 }, (_, index) => Buffer.alloc(700_000, `file ${index} `))
  const hashing: Promise<unknown>[] = []
  /** The next file begins in the middle of each. */
  const begin = (index: number) => {
    const bytes = files[index]
    if (bytes === undefined) return
    hashing[index] = hasher.hash(
      (async function* () {
        yield bytes.subarray(0, 350_000)
        begin(index + 1)
        yield bytes.subarray(350_000)
      })(),
    )
  }
  begin(0)
  for (let index = 0; index < files.length; index += 1) {
    expect(await hashing[index]).toEqual(hashesOf(files[index] ?? Buffer.of()))
  }
})

test('given a file without bytes, or with empty chunks, then they are the hashes of nothing', async () => {
  const hasher = aHasher()
  async function* empty() {
    yield new Uint8Array()
    yield new Uint8Array()
  }
  expect(await hasher.hash(chunksOf(new Uint8Array(), 1))).toEqual(hashesOf(new Uint8Array()))
  expect(await hasher.hash(empty())).toEqual(hashesOf(new Uint8Array()))
})

test('given a source that throws, then its error is thrown, and the next file is hashed', async () => {
  const hasher = aHasher()
  async function* broken() {
    yield Buffer.from('a beginning')
    throw new Error('the disk is gone')
  }
  await expect(hasher.hash(broken())).rejects.toThrow('the disk is gone')
  const bytes = Buffer.from('another')
  expect(await hasher.hash(chunksOf(bytes, 3))).toEqual(hashesOf(bytes))
})

test('given a thread that reads nothing, then few chunks of a source are read, of any size', async () => {
  const hasher = aHasher(
    await aThread(`import { parentPort } from 'node:worker_threads'
parentPort.on('message', () => {})`),
  )
  let given = 0
  async function* endless() {
    for (;;) {
      given += 1
      yield new Uint8Array(256 * 1024)
    }
  }
  const hashing = hasher.hash(endless())
  const ended = expect(hashing).rejects.toThrow(HashingFailed)
  // 2 MB in blocks, and one that waits for a block.
  await expect.poll(() => given).toBe(9)
  await hasher.stop()
  await ended
  expect(given).toBe(9)
})

test('given a thread that ends, then its files fail, and the next one gets a new thread', async () => {
  const hasher = aHasher(
    await aThread(`import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ kind, job, block }) => {
  const first = block && new Uint8Array(block)[0]
  if (first === 1) throw new Error('a fault in the thread')
  if (first === 2) process.exit(3)
  if (kind === 'chunk') parentPort.postMessage({ kind: 'taken', block })
  if (kind === 'end') parentPort.postMessage({ kind: 'done', job, sha256Hash: 'a', keccak256Hash: 'b' })
})`),
  )
  for (const fatal of [1, 2]) {
    const files = [0, fatal].map((first) => hasher.hash(chunksOf(Uint8Array.of(first, 0, 0, 0, 0), 1)))
    for (const hashing of files) await expect(hashing).rejects.toThrow(HashingFailed)
    expect(await hasher.hash(chunksOf(Uint8Array.of(0), 1))).toMatchObject({ sizeBytes: 1, sha256Hash: 'a' })
  }
})

test('given a shutdown, then a file in progress and any later one fail', async () => {
  const hasher = aHasher()
  const first = hasher.hash(
    (async function* () {
      yield Buffer.from('a beginning')
      await hasher.stop()
      yield Buffer.from('and more')
    })(),
  )
  await expect(first).rejects.toThrow(HashingFailed)
  await expect(hasher.hash(chunksOf(Buffer.from('late'), 1))).rejects.toThrow(HashingFailed)
})

async function aThread(program: string): Promise<URL> {
  const path = join(directory, `${crypto.randomUUID()}.mjs`)
  await writeFile(path, program)
  return pathToFileURL(path)
}
