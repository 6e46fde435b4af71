import { getAddress } from 'viem'
import type { operations } from '../api/openapi.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'

type Challenge = operations['createLegalChallenge']['responses'][200]['content']['application/json']

/**
 * Makes the text by which a wallet accepts the policies of a service, from the facts of its challenge: only this text is
 * signed, and never one that the service names. A line break in one of the facts becomes a space.
 *
 * Example: it begins with `Service legal acceptance`.
 */
export function acceptanceText({ bundle, nonce, issuedAt, expiresAt }: Challenge, wallet: string): string {
  const line = (text: string) => text.replace(/\p{Cc}/gu, ' ')
  const title = `${SERVICE_NAME.charAt(0).toUpperCase()}${SERVICE_NAME.slice(1)}`
  return [
    `${title} legal acceptance`,
    '',
    `Wallet: ${getAddress(wallet)}`,
    `Bundle: ${line(bundle.version)}`,
    `Issued at: ${line(issuedAt)}`,
    `Expires at: ${line(expiresAt)}`,
    `Nonce: ${line(nonce)}`,
    '',
    'Documents:',
    ...bundle.documents.map((one) => line(`- ${one.title} (${one.version}): ${one.contentHash}`)),
    '',
    line(bundle.acceptanceStatement),
  ].join('\n')
}
