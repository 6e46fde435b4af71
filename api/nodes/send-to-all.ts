import type { RpcAnswer, RpcRequest } from './exchange.ts'
import type { NodePool } from './node-pool.ts'

/**
 * Sends a signed transaction to every node of the chain. A single node might not pass the transaction on.
 * @returns the first answer without an error; an answer with an error when all nodes refuse the transaction
 * @throws the error of the first node when none answers
 */
export async function sendToAll(pool: NodePool, body: RpcRequest): Promise<RpcAnswer> {
  const takers = pool.nodes.filter((node) => pool.checkedVerdict(node) !== 'other_chain' && !node.isPaused())
  const answers = (takers.length === 0 ? [pool.current()] : takers).map(async (node) => {
    const answer = await node.ask(body)
    if (answer.error) throw new RefusedSend(answer)
    return answer
  })
  try {
    return await Promise.any(answers)
  } catch (error) {
    const errors = error instanceof AggregateError ? error.errors : [error]
    const refusal = errors.find((each) => each instanceof RefusedSend)
    if (refusal !== undefined) return refusal.answer
    throw errors[0]
  }
}

class RefusedSend extends Error {
  readonly answer: RpcAnswer
  constructor(answer: RpcAnswer) {
    super(answer.error?.message)
    this.answer = answer
  }
}
