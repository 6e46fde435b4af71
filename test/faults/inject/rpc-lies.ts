import { type Hex, numberToHex, zeroHash } from 'viem'
import type { RpcAnswer, RpcCall } from './rpc-call.ts'
import type { AskNode, RpcRule } from './rpc-faults.ts'

/** Methods whose answer is a receipt, or a list of them. */
const receiptMethods = ['eth_getTransactionReceipt', 'eth_sendRawTransactionSync', 'eth_getBlockReceipts'] as const

type Receipt = Record<string, unknown>

/** The node reports another chain id. */
export function wrongChainId(chainId: number): RpcRule {
  const answer = async () => ({ result: numberToHex(chainId) })
  return { methods: ['eth_chainId'], fault: { kind: 'lie', answer } }
}

/** The node returns no log for any filter. */
export const noLogs: RpcRule = {
  methods: ['eth_getLogs'],
  fault: { kind: 'lie', answer: async () => ({ result: [] }) },
}

/** Receipts report a revert as a success, without the logs of a success. */
export const revertsLookFine = lyingReceipts((receipt) => ({ ...receipt, status: '0x1' }))

/** Receipts report a success as a revert, consistently: without logs, and with an empty bloom. */
export const successesLookReverted = lyingReceipts((receipt) => ({
  ...receipt,
  status: '0x0',
  logs: [],
  logsBloom: `0x${'00'.repeat(256)}`,
}))

/** Receipts name a block that does not exist. */
export const receiptsOfNoBlock = lyingReceipts((receipt) => ({ ...receipt, blockHash: `0x${'de'.repeat(32)}` }))

/** The node answers every request for a receipt with that of `hash`; `pretends` sets the requested hash in it. */
export function receiptOf(hash: Hex, { pretends }: { pretends: boolean }): RpcRule {
  const answer = async (_: RpcAnswer, call: RpcCall, node: AskNode): Promise<RpcAnswer> => {
    const receipt = (await node('eth_getTransactionReceipt', [hash])) as Receipt | null
    if (receipt === null) throw new Error(`there is no receipt of ${hash} to lie with`)
    return { result: pretends ? { ...receipt, transactionHash: call.params[0] ?? zeroHash } : receipt }
  }
  return { methods: ['eth_getTransactionReceipt'], fault: { kind: 'lie', answer } }
}

function lyingReceipts(change: (receipt: Receipt) => Receipt): RpcRule {
  const answer = async (truth: RpcAnswer): Promise<RpcAnswer> => {
    if (!('result' in truth) || truth.result === null) return truth
    const { result } = truth
    return { result: Array.isArray(result) ? result.map(change) : change(result as Receipt) }
  }
  return { methods: receiptMethods, fault: { kind: 'lie', answer } }
}
