import { z } from 'zod'

/** One JSON-RPC call, alone or out of a batch. */
export interface RpcCall {
  id: unknown
  method: string
  params: readonly unknown[]
}

/** A node's answer to a call: a result or an error. */
export type RpcAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

const callSchema = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) })
const requestSchema = z.union([callSchema, z.array(callSchema)])

/** The calls in the body of an HTTP request, and whether they are a batch. @throws when it is no JSON-RPC */
export function parseCalls(body: string): { calls: RpcCall[]; isBatch: boolean } {
  const parsed = requestSchema.parse(JSON.parse(body))
  const isBatch = Array.isArray(parsed)
  return { calls: isBatch ? parsed : [parsed], isBatch }
}

/** The body of a request with these calls. */
export function toBody(calls: readonly RpcCall[], isBatch: boolean): string {
  const wire = calls.map((call) => ({ jsonrpc: '2.0', ...call }))
  return JSON.stringify(isBatch ? wire : wire[0])
}

const answerSchema = z.object({
  id: z.unknown(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
})

/** A node's answers to `calls`, in the same order. @throws when one is missing */
export function parseAnswers(body: string, calls: readonly RpcCall[]): RpcAnswer[] {
  const parsed = z.union([answerSchema, z.array(answerSchema)]).parse(JSON.parse(body))
  const answers = Array.isArray(parsed) ? parsed : [parsed]
  return calls.map(({ id, method }) => {
    const answer = answers.find((candidate) => candidate.id === id)
    if (answer === undefined) throw new Error(`the node left ${method} unanswered`)
    return answer.error === undefined ? { result: answer.result } : { error: answer.error }
  })
}

/** The body of the answers to some calls. */
export function toAnswerBody(calls: readonly RpcCall[], answers: readonly RpcAnswer[], isBatch: boolean): string {
  const wire = calls.map(({ id }, index) => ({ jsonrpc: '2.0', id, ...answers[index] }))
  return JSON.stringify(isBatch ? wire : wire[0])
}
