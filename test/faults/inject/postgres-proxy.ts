import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createMessageReader, createStatementReader, type PostgresMessage, textAt } from './postgres-messages.ts'

/** A commit that is lost, before or after the server. */
export interface CommitFault {
  /** `answer`: the server commits, and the answer is lost. `request`: the server never receives it, and rolls back. */
  lose: 'answer' | 'request'
  /** Pattern of a statement of the transaction. */
  having: RegExp
  /** Number of lost commits. */
  times: number
}

export interface InjectedCommitFault {
  /** How many commits were lost. */
  lost: number
}

/** A proxy before a Postgres server, which injects faults. */
export interface PostgresProxy {
  /** The database's URL, through the proxy. */
  url: string
  /** Resets every connection and refuses new ones, until `clear`. */
  cut(): void
  loseCommit(fault: CommitFault): InjectedCommitFault
  /** Ends every fault. Reset connections stay closed: clients open new ones. */
  clear(): void
  close(): Promise<void>
}

type Entry = CommitFault & InjectedCommitFault

/** State shared by all connections. */
interface Faults {
  isRefusing: boolean
  commits: Set<Entry>
}

/** @param upstream URL of a database on a server without TLS */
export async function startPostgresProxy({ upstream }: { upstream: string }): Promise<PostgresProxy> {
  const { hostname, port: upstreamPort } = new URL(upstream)
  const faults: Faults = { isRefusing: false, commits: new Set() }
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    if (faults.isRefusing) {
      client.resetAndDestroy()
      return
    }
    clients.add(client)
    client.once('close', () => clients.delete(client))
    join(client, connect(Number(upstreamPort), hostname), faults)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const through = new URL(upstream)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const resetAll = () => {
    for (const client of clients) client.resetAndDestroy()
  }
  return {
    url: through.href,
    cut: () => {
      faults.isRefusing = true
      resetAll()
    },
    loseCommit: (fault) => {
      const entry: Entry = { ...fault, lost: 0 }
      faults.commits.add(entry)
      return entry
    },
    clear: () => {
      faults.isRefusing = false
      faults.commits.clear()
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      resetAll()
      await closed
    },
  }
}

/** Connects two sockets until one of them closes, and reads the messages. */
function join(client: Socket, upstream: Socket, faults: Faults): void {
  const transaction = createTransactionReader()
  const readClient = createMessageReader({ startsUntyped: true })
  const readServer = createMessageReader({ startsUntyped: false })
  /** Set while a commit's answer is withheld: the server has committed when it is ready again. */
  let isSwallowing = false
  const end = () => {
    client.resetAndDestroy()
    upstream.destroy()
  }
  for (const socket of [client, upstream]) {
    socket.setNoDelay(true)
    socket.on('error', end)
    socket.on('close', end)
  }
  client.on('data', (chunk) => {
    for (const message of readClient(chunk)) {
      const isCommit = transaction.start(message)
      if (isCommit && take(faults, 'request', transaction.statements())) {
        end()
        return
      }
      upstream.write(message.bytes)
    }
  })
  upstream.on('data', (chunk) => {
    for (const message of readServer(chunk)) {
      isSwallowing ||= endsTransaction(message, transaction) && take(faults, 'answer', transaction.statements())
      if (isSwallowing && message.type === 'Z') {
        end()
        return
      }
      if (message.type === 'Z') transaction.ready(message)
      if (!isSwallowing) client.write(message.bytes)
    }
  })
}

/** A transaction ends with COMMIT, or, without BEGIN, with its only statement. */
function endsTransaction({ type, body }: PostgresMessage, transaction: TransactionReader): boolean {
  if (type !== 'C') return false
  return textAt(body, 0).text === 'COMMIT' || !transaction.isOpen()
}

interface TransactionReader {
  /** Reads a statement from a client's message; true when it is COMMIT. */
  start(message: PostgresMessage): boolean
  /** Statements since the transaction began, without BEGIN. */
  statements(): string[]
  /** The server is ready for the next statement, inside a transaction or outside. */
  ready(message: PostgresMessage): void
  /** Whether a transaction is open, by the server's last message. */
  isOpen(): boolean
}

function createTransactionReader(): TransactionReader {
  const statementOf = createStatementReader()
  let statements: string[] = []
  let isOpen = false
  return {
    start: (message) => {
      const text = statementOf(message)?.trim() ?? null
      if (text === null) return false
      const isCommit = /^commit\b/i.test(text)
      if (!isCommit && !/^begin\b/i.test(text)) statements.push(text)
      return isCommit
    },
    statements: () => statements,
    ready: ({ body }) => {
      isOpen = body.toString('latin1', 0, 1) !== 'I'
      if (!isOpen) statements = []
    },
    isOpen: () => isOpen,
  }
}

/** Whether a fault applies to this transaction; counts it. */
function take({ commits }: Faults, lose: CommitFault['lose'], statements: string[]): boolean {
  for (const commit of commits) {
    if (commit.lose !== lose || commit.lost >= commit.times) continue
    if (!statements.some((statement) => commit.having.test(statement))) continue
    commit.lost += 1
    return true
  }
  return false
}
