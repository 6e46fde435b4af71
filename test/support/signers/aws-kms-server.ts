import type { Hex } from 'viem'
import { type ExpectedSignature, findSignatureFault } from './signature-v4.ts'
import {
  createDigestSigner,
  publicKeyOf,
  type SignerAnswer,
  type SignerRequest,
  type SignerServer,
  serveSigner,
} from './signer-server.ts'

export const awsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
/** The identity that it admits unless another one is given. */
export const awsAccess = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

/** A stand-in for AWS KMS with one key. */
export async function serveAwsKms(
  privateKey: Hex,
  { access = awsAccess, keySpec = 'ECC_SECG_P256K1' }: { access?: Partial<ExpectedSignature>; keySpec?: string } = {},
): Promise<SignerServer> {
  const sign = createDigestSigner(privateKey)
  const expected = { ...awsAccess, ...access, region: 'eu-west-1', service: 'kms' }
  const answer = (request: SignerRequest): SignerAnswer => {
    const fault = findSignatureFault(request, expected)
    if (fault !== null) return refuse(fault)
    if (request.method !== 'POST' || request.path !== '/') return refuse('UnknownOperationException')
    if (request.headers['content-type'] !== 'application/x-amz-json-1.1') return refuse('SerializationException')
    const { KeyId, ...content } = JSON.parse(request.body)
    if (KeyId !== awsKeyArn) return refuse('NotFoundException')
    switch (request.headers['x-amz-target']) {
      case 'TrentService.GetPublicKey': {
        const PublicKey = publicKeyOf(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
        const SigningAlgorithms = ['ECDSA_SHA_256']
        return accept({ KeyId, PublicKey, KeySpec: keySpec, KeyUsage: 'SIGN_VERIFY', SigningAlgorithms })
      }
      case 'TrentService.Sign': {
        const { Message, MessageType, SigningAlgorithm } = content
        const digest = Buffer.from(Message, 'base64')
        // Of a message that is no digest KMS would sign the SHA-256.
        if (MessageType !== 'DIGEST' || SigningAlgorithm !== 'ECDSA_SHA_256') return refuse('ValidationException')
        if (digest.length !== 32 || digest.toString('base64') !== Message) return refuse('ValidationException')
        const Signature = Buffer.from(sign(digest).signature.toDERRawBytes()).toString('base64')
        return accept({ KeyId, Signature, SigningAlgorithm })
      }
      default:
        return refuse('UnknownOperationException')
    }
  }
  return await serveSigner(answer)
}

function accept(content: object): SignerAnswer {
  return { status: 200, body: JSON.stringify(content) }
}

function refuse(name: string): SignerAnswer {
  return { status: 400, body: JSON.stringify({ __type: name, message: 'refused' }) }
}
