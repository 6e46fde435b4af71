import { randomBytes } from 'node:crypto'
import { close, createReadStream, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { AnswerType, Page } from './answer-file.ts'
import type { WrittenAnswer } from './engine.ts'
import { QueryFailed } from './query-failure.ts'

/** An answer that can be read page by page. */
export interface StoredAnswer extends WrittenAnswer {
  /** Names it in the URL of its pages; it cannot be guessed. */
  id: string
  type: AnswerType
  /** Sentence of the first page about the query. */
  note: string | undefined
  /** The bytes of a page, by its place from 0. */
  read(page: Page): ReadableStream<Uint8Array<ArrayBuffer>>
}

export interface AnswerStore {
  /** An empty file. A crash leaves none behind: it has no name. */
  open(): number
  /**
   * Keeps the answer in the file until its time is over; of a client that keeps too much its oldest goes first.
   * @throws QueryFailed `unavailable` when all clients together keep too much
   */
  keep(
    client: string,
    fd: number,
    answer: WrittenAnswer,
    facts: { type: AnswerType; note: string | undefined },
  ): StoredAnswer
  /** Null: none, or no more. */
  find(id: string): StoredAnswer | null
  discard(fd: number): void
  stop(): void
}

export interface AnswerStoreLimits {
  keptMs: number
  /** Bytes of files: of one client beside its newest, and of all. */
  maxBytesOfClient: number
  maxBytes: number
}

interface Entry {
  client: string
  fd: number
  bytes: number
  answer: StoredAnswer
  timer: NodeJS.Timeout
  /** Pages that are being sent: the file is closed behind the last one. */
  readers: number
}

/** Answers in files, so that what clients have yet to take costs disk, and no memory. */
export function createAnswerStore({ keptMs, maxBytesOfClient, maxBytes }: AnswerStoreLimits): AnswerStore {
  const entries = new Map<string, Entry>()
  /** Dropped ones whose pages are being sent count until they are sent. */
  let allBytes = 0

  const closeFile = ({ fd, bytes }: Entry) => {
    allBytes -= bytes
    close(fd)
  }
  const drop = (entry: Entry) => {
    clearTimeout(entry.timer)
    if (entries.delete(entry.answer.id) && entry.readers === 0) closeFile(entry)
  }

  const streamOf = (entry: Entry, { start, end }: Page) => {
    if (end === start) return Readable.toWeb(Readable.from([])) as ReadableStream
    entry.readers += 1
    const stream = createReadStream('', { fd: entry.fd, start, end: end - 1, autoClose: false })
    stream.once('close', () => {
      entry.readers -= 1
      if (entry.readers === 0 && !entries.has(entry.answer.id)) closeFile(entry)
    })
    return Readable.toWeb(stream) as ReadableStream
  }

  return {
    open: () => {
      const directory = mkdtempSync(join(tmpdir(), 'task-market-answer-'))
      const fd = openSync(join(directory, 'answer'), 'wx+', 0o600)
      rmSync(directory, { recursive: true })
      return fd
    },
    keep: (client, fd, written, { type, note }) => {
      const bytes = written.pages.at(-1)?.end ?? 0
      const mine = [...entries.values()].filter((entry) => entry.client === client)
      for (let sum = mine.reduce((all, entry) => all + entry.bytes, 0); sum > maxBytesOfClient; ) {
        const oldest = mine.shift()
        if (oldest === undefined) break
        sum -= oldest.bytes
        drop(oldest)
      }
      if (allBytes + bytes > maxBytes) {
        throw new QueryFailed({
          kind: 'unavailable',
          message: 'The service keeps too many large answers now; ask for less, or try again in some minutes.',
        })
      }
      allBytes += bytes
      const id = randomBytes(16).toString('hex')
      const answer: StoredAnswer = { ...written, id, type, note, read: (page) => streamOf(entry, page) }
      const timer = setTimeout(() => drop(entry), keptMs).unref()
      const entry: Entry = { client, fd, bytes, answer, timer, readers: 0 }
      entries.set(id, entry)
      return answer
    },
    find: (id) => entries.get(id)?.answer ?? null,
    discard: (fd) => close(fd),
    stop: () => {
      for (const entry of entries.values()) drop(entry)
    },
  }
}
