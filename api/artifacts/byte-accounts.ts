import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import type { Config } from '../config.ts'
import type { Database, Transaction } from '../db/client.ts'
import {
  type ByteAccount,
  deleteByteCharge,
  findByteShortage,
  lockByteAccounts,
  proveUploads,
  putByteCharge,
  unproveUploads,
} from './byte-charges.queries.ts'

const quotaSentences = {
  client: (bytes: bigint) => `This client may store ${bytes} bytes a day`,
  worker: (bytes: bigint) => `This worker may store ${bytes} bytes a day`,
  task: (bytes: bigint) => `This worker may store ${bytes} bytes for this task in all`,
} as const satisfies Record<ByteAccount['of'], (bytes: bigint) => string>

/** Thrown when storing some bytes would exceed the limit of an account. */
export class ByteQuotaError extends Error {
  /** The seconds until the account has room for the bytes. Null if waiting does not help. */
  readonly retryAfterSeconds: number | null

  constructor(of: ByteAccount['of'], mostBytes: bigint, retryAfterSeconds: number | null) {
    const way = retryAfterSeconds === null ? 'send less' : `try again in ${retryAfterSeconds} seconds, or send less`
    super(`${quotaSentences[of](mostBytes)}; ${way}.`)
    this.name = 'ByteQuotaError'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A client's byte limit is this many times the limit of a worker, because a client can have several wallets. */
export const WORKERS_OF_A_CLIENT = 5

const USDC = 1_000_000n
/** The largest number of bytes that the database can compare: the maximum of int8. */
const MOST_COUNTED = 2n ** 63n - 1n

/** The parts of the process that are needed to count stored bytes. */
export interface ByteDeps {
  sql: Database
  config: Pick<Config, 'WORKER_BYTES_PER_DAY'>
}

/** A worker's delivery to a task. */
export interface Delivery {
  worker: Address
  taskId: Hex
  /** The reward of the task, in base units of USDC. */
  reward: bigint
}

/** The bytes of a request's body. They are charged to the client while they arrive. */
export interface ArrivingBytes {
  /** The id of the database row that charges the client for the bytes. */
  readonly id: string
  readonly client: string
  /**
   * Charges the client for the first `sizeBytes` bytes of the body. A call with a larger number replaces the earlier
   * charge.
   * @throws ByteQuotaError
   */
  reserve(sizeBytes: number): Promise<void>
  /** Keeps the charge after the request. Used if a submission stores the bytes. */
  settle(): void
  /**
   * Deletes the charge unless `settle` was called. If the database does not answer, the charge stays for one day. Never
   * throws.
   */
  close(): Promise<void>
}

/**
 * Returns the limit of an account in bytes. Each limit is a multiple or a fraction of `bytesPerDay`, the daily limit of
 * a worker. With the default daily limit, the limit for a worker and a task is 1 GiB, plus 50 MiB for each USDC of
 * reward (interface specification, "Windows, cursors, details").
 */
export function mostBytesOf(of: ByteAccount['of'], bytesPerDay: number, reward: bigint): bigint {
  const day = BigInt(bytesPerDay)
  if (of === 'client') return day * BigInt(WORKERS_OF_A_CLIENT)
  if (of === 'worker') return day
  const taskLimit = day / 2n + (day * 50n * reward) / (2048n * USDC)
  return taskLimit < MOST_COUNTED ? taskLimit : MOST_COUNTED
}

/**
 * Creates the object that charges a client for the bytes of one request's body while they arrive. The charge is stored
 * in the database, so all processes count it.
 */
export function countArrivingBytes({ sql, config }: ByteDeps, client: string): ArrivingBytes {
  const id = randomUUID()
  let reservedBytes = 0
  let isSettled = false
  return {
    id,
    client,
    reserve: async (sizeBytes) => {
      if (sizeBytes <= reservedBytes) return
      await sql.begin(async (tx) => {
        await lockByteAccounts(tx, [client])
        const account: ByteAccount = { of: 'client', client }
        await requireRoom(tx, config, { accounts: [account], sizeBytes, except: [id], reward: 0n })
        await putByteCharge(tx, { id, client, sizeBytes, for: null, isProven: false })
      })
      reservedBytes = sizeBytes
    },
    settle: () => {
      isSettled = true
    },
    close: async () => {
      // The request was answered: a failure here must not replace the answer.
      if (reservedBytes > 0 && !isSettled) await deleteByteCharge(sql, id).catch(() => {})
    },
  }
}

/**
 * Charges the files of a body to the worker who signed or paid for the submission. Call this function before the first
 * file is stored.
 * @throws ByteQuotaError
 */
export async function chargeProvenBytes(
  { sql, config }: ByteDeps,
  arrivingBytes: ArrivingBytes,
  { worker, taskId, reward, sizeBytes }: Delivery & { sizeBytes: number },
): Promise<void> {
  const { id, client } = arrivingBytes
  await sql.begin(async (tx) => {
    await lockByteAccounts(tx, [worker])
    const accounts = accountsOf({ worker, taskId, client: null })
    await requireRoom(tx, config, { accounts, sizeBytes, except: [id], reward })
    await putByteCharge(tx, { id, client, sizeBytes, for: { worker, taskId }, isProven: true })
  })
  arrivingBytes.settle()
}

/**
 * Charges uploads to the worker who signed or paid for the submission. The client was charged earlier, when it
 * requested the uploads.
 * @throws ByteQuotaError
 */
export async function chargeProvenUploads(
  { sql, config }: ByteDeps,
  ids: readonly string[],
  { worker, taskId, reward, sizeBytes }: Delivery & { sizeBytes: number },
): Promise<void> {
  await sql.begin(async (tx) => {
    await lockByteAccounts(tx, [worker])
    const accounts = accountsOf({ worker, taskId, client: null })
    await requireRoom(tx, config, { accounts, sizeBytes, except: ids, reward })
    await proveUploads(tx, ids)
  })
}

/**
 * Undoes the change that `chargeProvenUploads` made: the charges of the uploads count as unproven again. Called if the
 * submission could not be recorded.
 */
export async function refundUploads({ sql }: Pick<ByteDeps, 'sql'>, ids: readonly string[]): Promise<void> {
  await unproveUploads(sql, ids)
}

/**
 * Charges an upload to its client, in the transaction that records the upload. The function checks the limits of the
 * worker, but records the charge as unproven. Reason: the signature for an upload URL is public, so it does not prove
 * that the request comes from the worker.
 * @throws ByteQuotaError
 */
export async function chargeUpload(
  tx: Transaction,
  config: ByteDeps['config'],
  { id, client, worker, taskId, reward, sizeBytes }: Delivery & { id: string; client: string; sizeBytes: number },
): Promise<void> {
  await lockByteAccounts(tx, [client, worker])
  const accounts: ByteAccount[] = [...accountsOf({ worker, taskId, client }), { of: 'client', client }]
  await requireRoom(tx, config, { accounts, sizeBytes, except: [], reward })
  await putByteCharge(tx, { id, client, sizeBytes, for: { worker, taskId }, isProven: false })
}

function accountsOf({ worker, taskId, client }: Omit<Delivery, 'reward'> & { client: string | null }): ByteAccount[] {
  return [
    { of: 'worker', worker, client },
    { of: 'task', worker, taskId, client },
  ]
}

async function requireRoom(
  tx: Transaction,
  { WORKER_BYTES_PER_DAY }: ByteDeps['config'],
  request: { accounts: ByteAccount[]; sizeBytes: number; except: readonly string[]; reward: bigint },
): Promise<void> {
  const { sizeBytes, except } = request
  for (const account of request.accounts) {
    const mostBytes = mostBytesOf(account.of, WORKER_BYTES_PER_DAY, request.reward)
    const shortage = await findByteShortage(tx, account, { sizeBytes, mostBytes, except })
    if (shortage !== null) throw new ByteQuotaError(account.of, mostBytes, shortage.seconds)
  }
}
