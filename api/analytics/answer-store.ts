import { randomBytes } from 'node:crypto'
import { close, mkdtempSync, openSync, read, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { AnswerType, Page } from './answer-file.ts'
import type { WrittenAnswer } from './engine.ts'
import { QueryFailed } from './query-failure.ts'

/** An answer that can be read page by page. */
export interface StoredAnswer extends WrittenAnswer {
  /** The random, unguessable id in the URLs of the answer's pages. */
  id: string
  type: AnswerType
  /** A sentence about the query. The first page contains the sentence. */
  note: string | undefined
  /** Reads the bytes of a page. The reading throws if the answer expires. */
  read(page: Page): AsyncIterable<Uint8Array<ArrayBuffer>>
}

export interface AnswerFile {
  fd: number
  path: string
}

export interface AnswerStore {
  /** Creates an empty file for an answer. The engine process opens the file by its path, and then deletes the path. */
  open(): AnswerFile
  /**
   * Stores an answer until it expires. If the client has too many answers, the client's oldest answers are deleted
   * first.
   * @throws QueryFailed `unavailable` if all clients together have too many stored answers
   */
  keep(
    client: string,
    fd: number,
    answer: WrittenAnswer,
    facts: { type: AnswerType; note: string | undefined },
  ): StoredAnswer
  /** Returns a stored answer. Null if the id is unknown or the answer has expired. */
  find(id: string): StoredAnswer | null
  discard(file: AnswerFile): void
  stop(): void
}

export interface AnswerStoreLimits {
  /**
   * The lifetimes of an answer in milliseconds. `keptMs`: an answer with several pages. `takenMs`: an answer with a
   * single page.
   */
  keptMs: number
  takenMs: number
  /**
   * The limits of stored answers. `maxOfClient`: the number of one client's answers. `maxBytesOfClient`: the bytes of
   * one client's answers, the newest excluded. `max` and `maxBytes`: the number and the bytes of all clients' answers.
   */
  maxOfClient: number
  maxBytesOfClient: number
  max: number
  maxBytes: number
}

interface Entry {
  client: string
  fd: number
  bytes: number
  answer: StoredAnswer
  timer: NodeJS.Timeout
  /** The number of current reads of the file. An expired file is closed after the last read. */
  reads: number
}

/** The largest number of bytes that one read from an answer's file returns. */
const CHUNK_BYTES = 65_536
const readFile = promisify(read)

/** Creates a store that keeps answers in files. Unread answers thus use no memory. */
export function createAnswerStore({
  keptMs,
  takenMs,
  maxOfClient,
  maxBytesOfClient,
  max,
  maxBytes,
}: AnswerStoreLimits): AnswerStore {
  const entries = new Map<string, Entry>()
  let allBytes = 0

  const drop = (entry: Entry) => {
    clearTimeout(entry.timer)
    if (!entries.delete(entry.answer.id)) return
    allBytes -= entry.bytes
    if (entry.reads === 0) close(entry.fd)
  }

  const readChunk = async (entry: Entry, at: number, end: number) => {
    if (!entries.has(entry.answer.id)) throw new Error('the answer is no longer kept')
    entry.reads += 1
    try {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - at))
      const { bytesRead } = await readFile(entry.fd, chunk, 0, chunk.length, at)
      return chunk.subarray(0, bytesRead)
    } finally {
      entry.reads -= 1
      if (entry.reads === 0 && !entries.has(entry.answer.id)) close(entry.fd)
    }
  }

  async function* readPage(entry: Entry, { start, end }: Page) {
    try {
      for (let at = start; at < end; ) {
        const chunk = await readChunk(entry, at, end)
        at += chunk.length
        yield chunk
      }
    } finally {
      // No URL leads to a single page a second time, so its answer is deleted.
      if (entry.answer.pages.length === 1) drop(entry)
    }
  }

  /** Deletes the client's oldest answers until the remaining answers are within the client's limits. */
  const makeRoom = (client: string) => {
    const clientEntries = [...entries.values()].filter((entry) => entry.client === client)
    let bytes = clientEntries.reduce((sum, entry) => sum + entry.bytes, 0)
    for (const [index, entry] of clientEntries.entries()) {
      if (bytes <= maxBytesOfClient && clientEntries.length - index < maxOfClient) return
      bytes -= entry.bytes
      drop(entry)
    }
  }

  return {
    open: () => {
      const directory = mkdtempSync(join(tmpdir(), 'task-market-answer-'))
      const path = join(directory, 'answer')
      return { path, fd: openSync(path, 'wx+', 0o600) }
    },
    keep: (client, fd, writtenAnswer, { type, note }) => {
      makeRoom(client)
      const bytes = writtenAnswer.pages.at(-1)?.end ?? 0
      if (entries.size >= max || allBytes + bytes > maxBytes) {
        throw new QueryFailed({
          kind: 'unavailable',
          message: 'The service keeps too many answers now; ask for less, or try again in some minutes.',
        })
      }
      allBytes += bytes
      const id = randomBytes(16).toString('hex')
      const answer: StoredAnswer = { ...writtenAnswer, id, type, note, read: (page) => readPage(entry, page) }
      const timer = setTimeout(() => drop(entry), writtenAnswer.pages.length === 1 ? takenMs : keptMs).unref()
      const entry: Entry = { client, fd, bytes, answer, timer, reads: 0 }
      entries.set(id, entry)
      return answer
    },
    find: (id) => entries.get(id)?.answer ?? null,
    discard: ({ path, fd }) => {
      close(fd)
      rmSync(dirname(path), { recursive: true, force: true })
    },
    stop: () => {
      for (const entry of entries.values()) drop(entry)
    },
  }
}
