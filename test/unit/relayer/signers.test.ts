import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Hex, parseTransaction, recoverTransactionAddress, type TransactionSerialized, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAwsCredentials } from '../../../api/relayer/signers/aws-credentials.ts'
import { createGoogleTokens } from '../../../api/relayer/signers/google-token.ts'
import { listRelayers, openRelayers } from '../../../api/relayer/signers/open-relayers.ts'
import type { Relayer, UnsignedTransaction } from '../../../api/relayer/signers/relayer.ts'
import { encryptKey } from '../../../client/src/keystore/keystore.ts'
import type { CloudEnvironment } from '../../../settings/cloud-environment.ts'
import { SettingsError } from '../../../settings/read-settings.ts'
import { signerUrls } from '../../../settings/values.ts'
import { byDepth } from '../../support/depth.ts'
import { awsAccess, awsKeyArn, serveAwsKms } from '../../support/signers/aws-kms-server.ts'
import { googleKeyVersion, serveGoogleKms } from '../../support/signers/google-kms-server.ts'
import { type SignerServer, serveSigner } from '../../support/signers/signer-server.ts'
import { serveWeb3signer } from '../../support/signers/web3signer-server.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-signers-'))
const open = new Set<SignerServer>()
afterAll(async () => {
  await Promise.all([...open].map((server) => server.stop()))
  rmSync(directory, { recursive: true })
})

const aKey = (byte: string): Hex => `0x${byte.repeat(32)}`
const keys = { raw: aKey('11'), keystore: aKey('22'), awskms: aKey('33'), gcpkms: aKey('44'), web3signer: aKey('55') }
const addressOf = (key: Hex) => privateKeyToAddress(key).toLowerCase()

function keep<Server extends SignerServer>(server: Server): Server {
  open.add(server)
  return server
}

function file(name: string, content: string): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

/** Opens the relayers of these settings. */
function openNamed(signers: string, cloud: CloudEnvironment = {}, rawKeys: Hex[] = []): Promise<Relayer[]> {
  return openRelayers({ RELAYER_KEYS: rawKeys, RELAYER_SIGNERS: signerUrls.parse(signers), cloud })
}

const accessOfAws = {
  AWS_ACCESS_KEY_ID: awsAccess.accessKeyId,
  AWS_SECRET_ACCESS_KEY: awsAccess.secretAccessKey,
}
const cheap = { terms: { n: 2 } }
const aTransaction: UnsignedTransaction = {
  chainId: 8453,
  to: `0x${'ab'.repeat(20)}`,
  data: '0x1234',
  nonce: 7,
  gas: 100_000n,
  maxFeePerGas: 3_000n,
  maxPriorityFeePerGas: 1_000n,
}

describe('a relayer of each kind', () => {
  let relayers: Relayer[]
  beforeAll(async () => {
    const [aws, google, web3signer] = await Promise.all([
      serveAwsKms(keys.awskms),
      serveGoogleKms(keys.gcpkms),
      serveWeb3signer([keys.raw, keys.web3signer], `Basic ${btoa('relayer:a password')}`),
    ])
    for (const server of [aws, google, web3signer]) keep(server)
    const keystore = file('relayer.json', await encryptKey(keys.keystore, 'a passphrase', cheap))
    const host = web3signer.url.replace('http://', 'http://relayer:a%20password@')
    const signers = [
      `keystore:${keystore}?passphrase=${file('passphrase', 'a passphrase\n')}`,
      `awskms:${awsKeyArn}?endpoint=${aws.url}`,
      `gcpkms:${googleKeyVersion}?endpoint=${google.url}`,
      `web3signer:${host}/${privateKeyToAddress(keys.web3signer)}`,
    ]
    const cloud = { ...accessOfAws, GOOGLE_APPLICATION_CREDENTIALS: file('google.json', google.account) }
    relayers = await openNamed(signers.join(','), cloud, [keys.raw])
  })

  it('given all of them, then each has the account of its key, and only local ones are at once', () => {
    expect(relayers.map(({ kind, address, isRemote }) => [kind, address, isRemote])).toEqual([
      ['raw', addressOf(keys.raw), false],
      ['keystore', addressOf(keys.keystore), false],
      ['awskms', addressOf(keys.awskms), true],
      ['gcpkms', addressOf(keys.gcpkms), true],
      ['web3signer', addressOf(keys.web3signer), true],
    ])
  })

  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((each) => toHex(each))
  const wei = fc.bigInt({ min: 0n, max: 10n ** 18n })
  const transactions: fc.Arbitrary<UnsignedTransaction> = fc
    .record({ fee: wei, share: fc.integer({ min: 0, max: 100 }), to: bytes(20), nonce: fc.nat(), gas: wei, value: wei })
    .chain(({ fee, share, ...others }) =>
      fc.uint8Array({ maxLength: 300 }).map((data) => ({
        ...others,
        chainId: 8453,
        data: toHex(data),
        maxFeePerGas: fee,
        maxPriorityFeePerGas: (fee * BigInt(share)) / 100n,
      })),
    )

  it('given any transaction, then the bytes of each are that transaction, recover to its account and have a low s', async () => {
    await fc.assert(
      fc.asyncProperty(transactions, async (transaction) => {
        for (const relayer of relayers) {
          const raw = (await relayer.sign(transaction)) as TransactionSerialized
          const signer = await recoverTransactionAddress({ serializedTransaction: raw })
          expect(signer.toLowerCase()).toBe(relayer.address)
          const { s, data = '0x', value = 0n, nonce = 0, gas = 0n, ...parsed } = parseTransaction(raw)
          expect(BigInt(s ?? 0)).toBeLessThanOrEqual(2n ** 255n)
          expect([data, value, nonce, gas]).toEqual([
            transaction.data,
            transaction.value,
            transaction.nonce,
            transaction.gas,
          ])
          expect([parsed.to, parsed.maxFeePerGas ?? 0n]).toEqual([transaction.to, transaction.maxFeePerGas])
        }
      }),
      { numRuns: byDepth(6, 100) },
    )
  })

  it('given random keys, then a signature of either half recovers to the account', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes(32).filter((key) => BigInt(key) > 0n && BigInt(key) < 2n ** 255n),
        async (key) => {
          const server = keep(await serveAwsKms(key as Hex))
          const [relayer] = await openNamed(`awskms:${awsKeyArn}?endpoint=${server.url}`, accessOfAws)
          expect(relayer?.address).toBe(addressOf(key as Hex))
          // The stand-in signs with an s of the upper half, then of the lower one.
          for (const nonce of [1, 2]) {
            const raw = (await relayer?.sign({ ...aTransaction, nonce })) as TransactionSerialized
            expect((await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()).toBe(
              relayer?.address,
            )
          }
        },
      ),
      { numRuns: byDepth(2, 20) },
    )
  })
})

describe('a signer that does not open', () => {
  const atAws = async (options: Parameters<typeof serveAwsKms>[1], access: CloudEnvironment = {}) => {
    const { url } = keep(await serveAwsKms(keys.awskms, options))
    return openNamed(`awskms:${awsKeyArn}?endpoint=${url}`, { ...accessOfAws, ...access })
  }
  const atWeb3signer = ({ url }: { url: string }, key = keys.web3signer, rawKeys: Hex[] = []) =>
    openNamed(`web3signer:${url}/${privateKeyToAddress(key)}`, {}, rawKeys)

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a wrong passphrase',
      async () => {
        const keystore = file('wrong.json', await encryptKey(keys.keystore, 'a passphrase', cheap))
        return openNamed(`keystore:${keystore}?passphrase=${file('other', 'another one')}`)
      },
      /wrong\.json does not open with \S+other: The password is wrong\.$/,
    ],
    [
      'no file of a passphrase',
      () => openNamed(`keystore:${file('some.json', '{}')}?passphrase=/missing`),
      /\/missing cannot be read \(ENOENT\)$/,
    ],
    [
      'another secret of AWS',
      () => atAws({}, { AWS_SECRET_ACCESS_KEY: 'other' }),
      /AWS KMS answered 400 InvalidSignatureException$/,
    ],
    ['a key of another curve at AWS', () => atAws({ keySpec: 'ECC_NIST_P256' }), /must be ECC_SECG_P256K1/],
    ...['', 5].map((PublicKey): [string, () => Promise<unknown>, RegExp] => [
      `the public key ${JSON.stringify(PublicKey)} at AWS`,
      async () => {
        const body = JSON.stringify({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY', PublicKey })
        const { url } = keep(await serveSigner(() => ({ status: 200, body })))
        return openNamed(`awskms:${awsKeyArn}?endpoint=${url}`, accessOfAws)
      },
      /AWS KMS answered without PublicKey$/,
    ]),
    [
      'a key of another algorithm at Google',
      async () => {
        const server = keep(await serveGoogleKms(keys.gcpkms, 'EC_SIGN_P256_SHA256'))
        const cloud = { GCE_METADATA_HOST: server.url.replace('http://', '') }
        return openNamed(`gcpkms:${googleKeyVersion}?endpoint=${server.url}`, cloud)
      },
      /must be EC_SIGN_SECP256K1_SHA256$/,
    ],
    [
      'a web3signer without the key',
      async () => atWeb3signer(keep(await serveWeb3signer([keys.raw]))),
      /web3signer does not have the key of 0x[0-9a-f]{40}$/,
    ],
    [
      'no web3signer',
      async () => {
        const server = await serveWeb3signer([])
        await server.stop()
        return atWeb3signer(server)
      },
      /web3signer did not answer \(ECONNREFUSED\)$/,
    ],
    [
      'an answer that is too large to be one',
      async () =>
        atWeb3signer(keep(await serveSigner(() => ({ status: 200, body: `["0x${'0'.repeat(1_048_576)}"]` })))),
      /web3signer answered more than 1 MiB$/,
    ],
    [
      'a way to another server',
      async () => {
        const right = keep(await serveWeb3signer([keys.web3signer]))
        const headers = { Location: `${right.url}/api/v1/eth1/publicKeys` }
        return atWeb3signer(keep(await serveSigner(() => ({ status: 307, body: '', headers }))))
      },
      /web3signer answered 307$/,
    ],
    [
      'a token of AWS that no header may have',
      () => atAws({}, { AWS_SESSION_TOKEN: 'another one\nb' }),
      /the credentials of AWS KMS fit into no request$/,
    ],
    [
      'one account twice',
      async () => atWeb3signer(keep(await serveWeb3signer([keys.raw])), keys.raw, [keys.raw]),
      /two signers are of 0x[0-9a-f]{40}: name each account once$/,
    ],
  ])('given %s, then the error names the setting and the reason', async (_, opening, reason) => {
    const error = await opening().catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(SettingsError)
    const { message } = error as SettingsError
    expect(message).toMatch(/^RELAYER_SIGNERS: /)
    expect(message).toMatch(reason)
    expect(message).not.toMatch(/passphrase\n|another one|other$/)
  })

  it.each([
    'keystore:/run/secrets/relayer.json',
    'keystore:/run/secrets/relayer.json?passphrase=/p&other=1',
    'awskms:1234abcd-12ab-34cd-56ef-1234567890ab',
    `awskms:${awsKeyArn}?endpoint=ftp://host`,
    'gcpkms:projects/p/locations/l/keyRings/r/cryptoKeys/k',
    'web3signer:https://host',
    `vault:https://host/0x${'11'.repeat(20)}`,
    `0x${'11'.repeat(32)}`,
  ])('given %s, then it is refused without a word of it', (entry) => {
    const { error } = signerUrls.safeParse(entry)
    expect(error?.issues[0]?.message).toMatch(/^must be signers, comma separated, each of one form of keystore:<file>/)
  })
})

describe('credentials', () => {
  it('given the metadata of a Google machine, then its token signs', async () => {
    const server = keep(await serveGoogleKms(keys.gcpkms))
    const cloud = { GCE_METADATA_HOST: server.url.replace('http://', '') }
    const [relayer] = await openNamed(`gcpkms:${googleKeyVersion}?endpoint=${server.url}`, cloud)
    await relayer?.sign(aTransaction)
    await relayer?.sign(aTransaction)
    // A token is kept.
    expect(server.requests.filter(({ path }) => path.includes('/token'))).toHaveLength(1)
  })

  it.each([
    ['a user and a password', 'relayer:a%20password@', `Basic ${btoa('relayer:a password')}`],
    ['neither', '', undefined],
  ])(
    'given a web3signer whose URL has %s, then every request has them or no authorization',
    async (_, user, header) => {
      const server = keep(await serveWeb3signer([keys.web3signer]))
      const host = server.url.replace('http://', `http://${user}`)
      const [relayer] = await openNamed(`web3signer:${host}/${privateKeyToAddress(keys.web3signer)}`)
      await relayer?.sign(aTransaction)
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([header, header])
    },
  )

  const temporary = { accessKeyId: 'ASIATEMPORARY', secretAccessKey: 'of the role', sessionToken: 'a session' }
  const answered = JSON.stringify({
    AccessKeyId: temporary.accessKeyId,
    SecretAccessKey: temporary.secretAccessKey,
    Token: temporary.sessionToken,
    Expiration: new Date(Date.now() + 3_600_000).toISOString(),
  })

  it('given a role of an AWS instance, then its credentials sign (IMDSv2)', async () => {
    const instance = keep(
      await serveSigner(({ method, path, headers }) => {
        if (method === 'PUT' && path === '/latest/api/token') {
          const isTimed = headers['x-aws-ec2-metadata-token-ttl-seconds'] === '21600'
          return isTimed ? { status: 200, body: 'session-token' } : { status: 400, body: '' }
        }
        if (headers['x-aws-ec2-metadata-token'] !== 'session-token') return { status: 401, body: '' }
        const roles = '/latest/meta-data/iam/security-credentials/'
        if (path === roles) return { status: 200, body: 'relayer-role\n' }
        return path === `${roles}relayer-role` ? { status: 200, body: answered } : { status: 404, body: '' }
      }),
    )
    const kms = keep(await serveAwsKms(keys.awskms, { access: temporary }))
    // A key without its secret is none.
    const cloud = { AWS_ACCESS_KEY_ID: 'AKIAALONE', AWS_EC2_METADATA_SERVICE_ENDPOINT: instance.url }
    const [relayer] = await openNamed(`awskms:${awsKeyArn}?endpoint=${kms.url}`, cloud)
    await relayer?.sign(aTransaction)
    expect(instance.requests).toHaveLength(3)
  })

  it('given credentials that expire in an hour, then each source is asked again before that', async () => {
    const source = keep(
      await serveSigner(({ path }) =>
        path === '/aws'
          ? { status: 200, body: JSON.stringify({ ...JSON.parse(answered), Expiration: '2030-01-01T01:00:00Z' }) }
          : { status: 200, body: JSON.stringify({ access_token: 'a token', expires_in: 3_600 }) },
      ),
    )
    let minutes = 0
    const now = () => Date.parse('2030-01-01T00:00:00Z') + minutes * 60_000
    const { signal } = new AbortController()
    const aws = createAwsCredentials({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${source.url}/aws` }, now)
    const google = createGoogleTokens({ GCE_METADATA_HOST: source.url.replace('http://', '') }, now)
    const asked: number[][] = []
    for (minutes of [0, 54.9, 55, 58.9, 59]) {
      await Promise.all([aws(signal), google(signal)])
      const ofAws = source.requests.filter(({ path }) => path === '/aws').length
      asked.push([minutes, ofAws, source.requests.length - ofAws])
    }
    // The answer of AWS does not change: in its last five minutes it is used once and not kept.
    expect(asked).toEqual([
      [0, 1, 1],
      [54.9, 1, 1],
      [55, 2, 1],
      [58.9, 3, 1],
      [59, 4, 2],
    ])
  })

  it('given a container, then the token of its file is sent', async () => {
    const container = keep(
      await serveSigner(({ headers }) =>
        headers.authorization === 'pod-token' ? { status: 200, body: answered } : { status: 401, body: '' },
      ),
    )
    const kms = keep(await serveAwsKms(keys.awskms, { access: temporary }))
    const cloud = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${container.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file('pod-token', 'pod-token\n'),
    }
    expect(
      await listRelayers({
        RELAYER_KEYS: [],
        RELAYER_SIGNERS: signerUrls.parse(`awskms:${awsKeyArn}?endpoint=${kms.url}`),
        cloud,
      }),
    ).toEqual([{ kind: 'awskms', address: addressOf(keys.awskms) }])
  })
})
