import { z } from 'zod'
import { exchangeJson, type PollOptions, poll, type Verdict, type Verifier } from './submit.ts'

const answerSchema = z.object({ status: z.string(), result: z.string() })

/**
 * Creates the client of Etherscan's service for verifying source code (API v2). One key and one URL serve all of
 * Etherscan's chains.
 * @param options.url example: `https://api.etherscan.io/v2/api`
 */
export function toEtherscan(
  { url, chainId, key }: { url: string; chainId: number; key: string },
  options: PollOptions,
): Verifier {
  const target = `${url}?chainid=${chainId}`
  return {
    name: 'etherscan',
    submit: async ({ address, standardJson, compilerVersion, contractIdentifier, constructorArguments }) => {
      const encodedArguments = constructorArguments.slice(2)
      const form = new URLSearchParams({
        apikey: key,
        module: 'contract',
        action: 'verifysourcecode',
        contractaddress: address,
        sourceCode: JSON.stringify(standardJson),
        codeformat: 'solidity-standard-json-input',
        contractname: contractIdentifier,
        compilerversion: `v${compilerVersion}`,
        // The old name, misspelt, and the one that its documentation has now.
        constructorArguements: encodedArguments,
        constructorArguments: encodedArguments,
      })
      const { status, result } = answerSchema.parse((await exchangeJson(target, { method: 'POST', body: form })).body)
      if (isVerifiedBefore(result)) return { isVerified: true, says: 'verified before' }
      if (status !== '1') return { isVerified: false, says: result }
      const question = new URLSearchParams({
        apikey: key,
        module: 'contract',
        action: 'checkverifystatus',
        guid: result,
      })
      return poll(
        async () => toVerdict(answerSchema.parse((await exchangeJson(`${target}&${question}`)).body).result),
        options,
      )
    },
  }
}

/** Converts Etherscan's answer to a result. @returns null while the contract waits in Etherscan's queue */
function toVerdict(result: string): Verdict | null {
  if (/pending in queue|in progress/i.test(result)) return null
  if (isVerifiedBefore(result)) return { isVerified: true, says: 'verified before' }
  return { isVerified: /^pass/i.test(result), says: result }
}

function isVerifiedBefore(result: string): boolean {
  return /already verified/i.test(result)
}
