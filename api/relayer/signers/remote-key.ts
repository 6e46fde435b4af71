import { type Address, type Hex, keccak256 } from 'viem'
import type { SignerKind } from '../../../settings/signer-urls.ts'
import { assembleSigned, type RawSignature, serializeUnsigned } from './assemble-signed.ts'
import { type Relayer, SignerUnavailable } from './relayer.ts'

/** The time limit of a signature, in milliseconds. KMS and web3signer usually need 20 to 300 milliseconds. */
const SIGN_TIMEOUT_MS = 3_000
/** The pause after the first failure, in milliseconds. The pause doubles with each further failure. */
const FIRST_PAUSE_MS = 1_000
/** The longest pause after a failure, in milliseconds. */
const LONGEST_PAUSE_MS = 30_000

/** A key in another process, which signs on request. */
export interface RemoteKey {
  kind: SignerKind
  /** The address of the key's account, in lower case. */
  address: Address
  /** Requests a signature. `digest` is the keccak256 of `unsigned`. @throws SignerUnavailable */
  requestSignature(message: { unsigned: Hex; digest: Hex }, signal: AbortSignal): Promise<RawSignature>
}

/**
 * Receives changes of a signer's state, for the log. `pauseMs`: the pause in milliseconds after a failure, or null if
 * the signer works again.
 */
export type OnSignerChange = (change: {
  relayer: Address
  kind: SignerKind
  pauseMs: number | null
  why: string
}) => void

export interface RemoteOptions {
  onChange: OnSignerChange
  /** The time limit of a signature in milliseconds. Default: 3,000. */
  timeoutMs?: number
  /** Returns the milliseconds of a monotonic clock. */
  now?: () => number
}

/**
 * Creates a relayer with a remote key. Each signature has a time limit. After a failure the signer pauses for one
 * second. Each further failure doubles the pause, up to 30 seconds.
 */
export function createRemoteRelayer(
  { kind, address, requestSignature }: RemoteKey,
  { onChange, timeoutMs = SIGN_TIMEOUT_MS, now = () => performance.now() }: RemoteOptions,
): Relayer {
  let failures = 0
  let readyAt = Number.NEGATIVE_INFINITY
  let signatureCount = 0
  let last: Promise<void> = Promise.resolve()
  const isReady = () => now() >= readyAt
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work)
    signatureCount += 1
    const end = () => {
      signatureCount -= 1
    }
    last = turn.then(end, end)
    return turn
  }
  const note = (error: unknown) => {
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    failures += 1
    readyAt = now() + pauseMs
    onChange({ relayer: address, kind, pauseMs, why: error instanceof Error ? error.message : String(error) })
  }
  return {
    address,
    kind,
    isRemote: true,
    isReady,
    failures: () => failures,
    isBusy: () => signatureCount > 0,
    whenFree: () => last,
    inTurn,
    sign: async (transaction) => {
      if (!isReady()) throw new SignerUnavailable(`the signer of ${address} failed a moment ago`)
      try {
        const serializedTransaction = serializeUnsigned(transaction)
        const digest = keccak256(serializedTransaction)
        const signature = await requestSignature(
          { unsigned: serializedTransaction, digest },
          AbortSignal.timeout(timeoutMs),
        )
        const signedTransaction = await assembleSigned(transaction, { digest, signature, address })
        if (failures > 0) onChange({ relayer: address, kind, pauseMs: null, why: `after ${failures} failures` })
        failures = 0
        return signedTransaction
      } catch (error) {
        note(error)
        throw error
      }
    },
  }
}
