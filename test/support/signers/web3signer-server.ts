import { secp256k1 } from '@noble/curves/secp256k1'
import { type Hex, isHex, keccak256, toBytes } from 'viem'
import { createDigestSigner, type SignerServer, serveSigner } from './signer-server.ts'

/**
 * A stand-in for web3signer in its mode `eth1` with these keys.
 * @param authorization value of the header without which a proxy before it refuses; null: there is no proxy
 */
export async function serveWeb3signer(
  privateKeys: readonly Hex[],
  authorization: string | null = null,
): Promise<SignerServer> {
  const signers = new Map(privateKeys.map((key) => [publicKeyOf(key), createDigestSigner(key)]))
  return await serveSigner(({ method, path, headers, body }) => {
    if (authorization !== null && headers.authorization !== authorization) return { status: 401, body: '' }
    if (method === 'GET' && path === '/api/v1/eth1/publicKeys') {
      return { status: 200, body: JSON.stringify([...signers.keys()]) }
    }
    const sign = signers.get((/^\/api\/v1\/eth1\/sign\/(0x[0-9a-f]{128})$/.exec(path)?.[1] ?? '0x') as Hex)
    if (method !== 'POST' || sign === undefined) return { status: 404, body: '' }
    if (headers['content-type'] !== 'application/json') return { status: 400, body: '' }
    const { data } = JSON.parse(body)
    if (!isHex(data)) return { status: 400, body: '' }
    const { signature, recovery } = sign(keccak256(data, 'bytes'))
    return { status: 200, body: `0x${signature.toCompactHex()}${(27 + recovery).toString(16)}` }
  })
}

/** Without its first byte, as web3signer lists keys. */
function publicKeyOf(privateKey: Hex): Hex {
  return `0x${Buffer.from(secp256k1.getPublicKey(toBytes(privateKey), false))
    .toString('hex')
    .slice(2)}`
}
