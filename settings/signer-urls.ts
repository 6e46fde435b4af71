/**
 * The kinds of signers, by where the relayer's private key is stored. The setting RELAYER_KEYS contains `raw` keys;
 * RELAYER_SIGNERS names signers of all other kinds.
 */
export const signerKinds = ['raw', 'keystore', 'awskms', 'gcpkms', 'web3signer'] as const

export type SignerKind = (typeof signerKinds)[number]

/** A signer as an entry of the setting RELAYER_SIGNERS names it. */
export type SignerPlace =
  | { kind: 'keystore'; file: string; passphraseFile: string }
  /** `endpoint` is the URL of AWS KMS. By default, it is the URL for the region of the key. */
  | { kind: 'awskms'; keyId: string; region: string; endpoint: string }
  | { kind: 'gcpkms'; keyVersion: string; endpoint: string }
  /**
   * `address` is the account whose key the signing server stores, in lower case. `authorization` is the value of the
   * HTTP header `Authorization`; null if none is needed.
   */
  | { kind: 'web3signer'; url: string; address: `0x${string}`; authorization: string | null }

/** The valid forms of an entry of RELAYER_SIGNERS, for error messages. */
export const signerForms =
  'keystore:<file>?passphrase=<file>, awskms:<arn>, gcpkms:projects/.../cryptoKeyVersions/<n>, web3signer:<url>/<address>'

/**
 * Parses an entry of the setting RELAYER_SIGNERS. Returns null if the entry has none of the valid forms.
 * @example parseSignerUrl('keystore:/run/secrets/relayer.json?passphrase=/run/secrets/passphrase')
 */
export function parseSignerUrl(text: string): SignerPlace | null {
  const [, kind = '', place = '', query = ''] = /^([a-z0-9]+):([^?]+)(?:\?(.*))?$/.exec(text) ?? []
  const options = Object.fromEntries(new URLSearchParams(query))
  const read = kind in readers ? readers[kind as keyof typeof readers] : undefined
  if (read === undefined) return null
  const { names, parse } = read
  if (Object.keys(options).some((name) => !names.includes(name))) return null
  if (options.endpoint !== undefined && !isHttpUrl(options.endpoint)) return null
  try {
    return parse(place, options)
  } catch {
    // The percent encoding is invalid.
    return null
  }
}

type Options = Record<string, string | undefined>
interface Reader {
  /** The names of the query options that an entry of this kind may have. */
  names: string[]
  parse: (place: string, options: Options) => SignerPlace | null
}

const readers: Record<Exclude<SignerKind, 'raw'>, Reader> = {
  keystore: {
    names: ['passphrase'],
    parse: (file, { passphrase }) =>
      passphrase === undefined || passphrase === '' ? null : { kind: 'keystore', file, passphraseFile: passphrase },
  },
  awskms: {
    names: ['endpoint'],
    parse: (arn, { endpoint }) => {
      const region = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:(?:key|alias)\/[\w/-]+$/.exec(arn)?.[1]
      if (region === undefined) return null
      const domain = arn.startsWith('arn:aws-cn:') ? 'amazonaws.com.cn' : 'amazonaws.com'
      return { kind: 'awskms', keyId: arn, region, endpoint: endpoint ?? `https://kms.${region}.${domain}` }
    },
  },
  gcpkms: {
    names: ['endpoint'],
    parse: (keyVersion, { endpoint }) => {
      const form =
        /^projects\/[\w:.-]+\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+\/cryptoKeyVersions\/\d+$/
      if (!form.test(keyVersion)) return null
      return { kind: 'gcpkms', keyVersion, endpoint: endpoint ?? 'https://cloudkms.googleapis.com' }
    },
  },
  web3signer: {
    names: [],
    parse: (place) => {
      const [, base = '', address] = /^(.+)\/(0x[0-9a-fA-F]{40})$/.exec(place) ?? []
      if (address === undefined || !isHttpUrl(base)) return null
      const url = new URL(base)
      const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
      const authorization = url.username === '' ? null : `Basic ${Buffer.from(user).toString('base64')}`
      const path = url.pathname.replace(/\/+$/, '')
      return {
        kind: 'web3signer',
        url: `${url.origin}${path}`,
        address: address.toLowerCase() as `0x${string}`,
        authorization,
      }
    },
  },
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
