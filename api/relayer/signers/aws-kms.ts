import { AwsV4Signer } from 'aws4fetch'
import type { SignerPlace } from '../../../settings/signer-urls.ts'
import type { FindAwsCredentials } from './aws-credentials.ts'
import { exchangeHttp, parseAnswer, textOf } from './exchange-http.ts'
import { addressOfSpki, parseDerSignature, toBase64 } from './kms-key.ts'
import { SignerUnavailable } from './relayer.ts'
import type { RemoteKey } from './remote-key.ts'

const SERVER = 'AWS KMS'
/**
 * The name of the signing algorithm in requests to KMS. The part `SHA_256` only says that the digest has 32 bytes. KMS
 * does not hash a message of the type `DIGEST`.
 */
const ALGORITHM = 'ECDSA_SHA_256'

/**
 * Opens an AWS KMS key. `keyId` is the ARN of the key or of an alias. The service needs the permissions
 * `kms:GetPublicKey` and `kms:Sign`.
 * @throws SignerUnavailable if KMS does not answer, or the key is not of the type ECC_SECG_P256K1 for SIGN_VERIFY
 */
export async function openAwsKms(
  { keyId, region, endpoint }: Extract<SignerPlace, { kind: 'awskms' }>,
  findCredentials: FindAwsCredentials,
  signal: AbortSignal,
): Promise<RemoteKey> {
  const call = async (action: string, content: object, until: AbortSignal) => {
    const { url, method, headers, body } = await signRequest({
      ...(await findCredentials(until)),
      service: 'kms',
      region,
      method: 'POST',
      url: `${endpoint.replace(/\/+$/, '')}/`,
      headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': `TrentService.${action}` },
      body: JSON.stringify(content),
    })
    const request = { server: SERVER, url: url.href, method: method as 'POST', headers, body: String(body) }
    return parseAnswer(SERVER, await exchangeHttp(request, until))
  }
  const key = await call('GetPublicKey', { KeyId: keyId }, signal)
  if (key.KeySpec !== 'ECC_SECG_P256K1' || key.KeyUsage !== 'SIGN_VERIFY') {
    throw new SignerUnavailable(`the key of ${SERVER} must be ECC_SECG_P256K1 for SIGN_VERIFY`)
  }
  return {
    kind: 'awskms',
    address: addressOfSpki(SERVER, Buffer.from(textOf(SERVER, key, 'PublicKey'), 'base64')),
    requestSignature: async ({ digest }, until) => {
      const content = {
        KeyId: keyId,
        Message: toBase64(digest),
        MessageType: 'DIGEST',
        SigningAlgorithm: ALGORITHM,
      }
      return parseDerSignature(SERVER, textOf(SERVER, await call('Sign', content, until), 'Signature'))
    },
  }
}

/**
 * Signs a request to AWS.
 * @throws SignerUnavailable when the request cannot be signed; the original error is dropped, because it may quote the
 * credentials
 */
async function signRequest(request: ConstructorParameters<typeof AwsV4Signer>[0]) {
  try {
    return await new AwsV4Signer(request).sign()
  } catch {
    throw new SignerUnavailable(`the credentials of ${SERVER} fit into no request`)
  }
}
