import { z } from 'zod'
import { exchangeJson, type PollOptions, poll, type Verdict, type Verifier } from './submit.ts'

const jobSchema = z.object({ verificationId: z.string() })
const refusalSchema = z.object({ customCode: z.string(), message: z.string() })
const match = z.string().nullish()
const resultSchema = z.object({
  isJobCompleted: z.boolean(),
  contract: z.object({ match, creationMatch: match, runtimeMatch: match }).optional(),
  error: refusalSchema.optional(),
})

/**
 * Creates the client of Sourcify's service for verifying source code (API v2), which requires no key.
 * @param url example: `https://sourcify.dev/server`
 */
export function toSourcify({ url, chainId }: { url: string; chainId: number }, options: PollOptions): Verifier {
  return {
    name: 'sourcify',
    submit: async ({ address, standardJson, compilerVersion, contractIdentifier }) => {
      const { status, body } = await exchangeJson(`${url}/v2/verify/${chainId}/${address}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ stdJsonInput: standardJson, compilerVersion, contractIdentifier }),
      })
      if (status !== 202) return toRefusal(status, body)
      const { verificationId } = jobSchema.parse(body)
      return poll(async () => readResult(await exchangeJson(`${url}/v2/verify/${verificationId}`)), options)
    },
  }
}

function toRefusal(status: number, body: unknown): Verdict {
  const { customCode, message } = refusalSchema.catch({ customCode: '', message: JSON.stringify(body) }).parse(body)
  if (customCode === 'already_verified') return { isVerified: true, says: 'verified before' }
  return { isVerified: false, says: `refused with ${status}: ${message}` }
}

/** Converts Sourcify's answer to a result. @returns null while Sourcify's job runs */
function readResult({ status, body }: { status: number; body: unknown }): Verdict | null {
  if (status !== 200) return toRefusal(status, body)
  const { isJobCompleted, contract, error } = resultSchema.parse(body)
  if (!isJobCompleted) return null
  if (error !== undefined) return { isVerified: false, says: error.message }
  const { match: bestMatch, creationMatch, runtimeMatch } = contract ?? {}
  const says = `${bestMatch ?? 'no match'} (creation ${creationMatch ?? 'none'}, runtime ${runtimeMatch ?? 'none'})`
  return { isVerified: bestMatch != null, says }
}
