import { type ErrorStatus, errorCodes, type Reason, reasons } from '../../../protocol/reasons.ts'
import type { PublishedContract, ServedAnswer } from '../conformance-contract.ts'

/** Texts that reveal internals of the service. */
const leaks = /node_modules|\.ts:\d|select .+ from |insert into|PostgresError|at async |ECONNREFUSED|postgres:/i

/**
 * Checks an answer to any request: it is no failure of the service, the document has it, an error has its envelope with
 * a reason of its status, and reveals no internals.
 * @throws Error naming the failed check
 */
export function checkAnswer(contract: PublishedContract, answer: ServedAnswer): void {
  const { method, path, status, text } = answer
  const fail = (what: string) => {
    throw new Error(`${method} ${path} answered ${status} and ${what}: ${text.slice(0, 500)}`)
  }
  if (status >= 500) fail('failed')
  contract.check(answer)
  if (status < 400) return
  if (leaks.test(text)) fail('told of its inside')
  const body = JSON.parse(text)
  if (status === 402 && body.service === undefined) return
  if (typeof body.error !== 'string' || !/\S/.test(body.error)) fail('has no sentence')
  if (!(reasons[body.service?.reason as Reason] as readonly number[] | undefined)?.includes(status)) {
    fail('has no reason of its status')
  }
  const code = errorCodes[status as ErrorStatus]
  if (body.code !== code && status !== 402 && body.code !== 'LEGAL_ACCEPTANCE_REQUIRED') fail(`is not ${code}`)
}
