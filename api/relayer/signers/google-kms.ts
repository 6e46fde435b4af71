import type { SignerPlace } from '../../../settings/signer-urls.ts'
import { exchangeHttp, parseAnswer, textOf } from './exchange-http.ts'
import type { FindGoogleToken } from './google-token.ts'
import { addressOfSpki, parseDerSignature, toBase64 } from './kms-key.ts'
import { SignerUnavailable } from './relayer.ts'
import type { RemoteKey } from './remote-key.ts'

const SERVER = 'Google KMS'
const ALGORITHM = 'EC_SIGN_SECP256K1_SHA256'

/**
 * Opens a key version of Google Cloud KMS. The service needs the role `cloudkms.signerVerifier` for the key.
 *
 * The keccak256 digest is sent in the field `sha256`. KMS signs any 32 bytes in that field.
 * @throws SignerUnavailable if KMS does not answer, or the key is not of the type EC_SIGN_SECP256K1_SHA256 (an HSM key)
 */
export async function openGoogleKms(
  { keyVersion, endpoint }: Extract<SignerPlace, { kind: 'gcpkms' }>,
  findToken: FindGoogleToken,
  signal: AbortSignal,
): Promise<RemoteKey> {
  const call = async (suffix: string, until: AbortSignal, content?: object) => {
    const headers = { Authorization: `Bearer ${await findToken(until)}`, 'Content-Type': 'application/json' }
    const requestOptions = content === undefined ? {} : ({ method: 'POST', body: JSON.stringify(content) } as const)
    const url = `${endpoint.replace(/\/+$/, '')}/v1/${keyVersion}${suffix}`
    return parseAnswer(SERVER, await exchangeHttp({ server: SERVER, url, headers, ...requestOptions }, until))
  }
  const key = await call('/publicKey', signal)
  if (key.algorithm !== ALGORITHM) throw new SignerUnavailable(`the key of ${SERVER} must be ${ALGORITHM}`)
  return {
    kind: 'gcpkms',
    address: addressOfSpki(SERVER, textOf(SERVER, key, 'pem')),
    requestSignature: async ({ digest }, until) => {
      const answer = await call(':asymmetricSign', until, { digest: { sha256: toBase64(digest) } })
      return parseDerSignature(SERVER, textOf(SERVER, answer, 'signature'))
    },
  }
}
