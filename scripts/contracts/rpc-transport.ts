import { createTransport, RpcRequestError, type Transport } from 'viem'
import { exchange, type RpcRequest } from '../../api/nodes/exchange.ts'

export interface RpcTransportOptions {
  /** Repetitions of a request without an answer, or whose answer requires it. Default 3. */
  retryCount?: number
  /** Pause before the first repetition; it doubles, milliseconds. Default 150. */
  retryDelay?: number
  /** Time until the whole answer is there, milliseconds. Default 10,000. */
  timeout?: number
}

/**
 * Creates a transport of JSON-RPC to one node over kept connections for viem's clients, with the errors of viem's `http`. A
 * request costs a third of one by `fetch`, and a write makes about ten.
 */
export function rpcTransport(url: string, options: RpcTransportOptions = {}): Transport {
  const { timeout = 10_000, ...retries } = options
  const ask = async (body: RpcRequest): Promise<unknown> => {
    const { error, result } = await exchange({ url, body, timeout })
    // Some nodes send `error: null` with every result.
    if (error) throw new RpcRequestError({ body, error, url })
    return result
  }
  return () =>
    createTransport({ key: 'rpc', name: 'JSON-RPC', type: 'http', request: ask as never, timeout, ...retries })
}
