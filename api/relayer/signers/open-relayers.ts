import type { Hex } from 'viem'
import type { CloudEnvironment } from '../../../settings/cloud-environment.ts'
import type { SignerPlace } from '../../../settings/signer-urls.ts'
import { checkSetting } from '../../../settings/start-problems.ts'
import { createLocalRelayer } from './local-key.ts'
import type { Relayer } from './relayer.ts'
import { createRemoteRelayer, type OnSignerChange, type RemoteKey } from './remote-key.ts'

/** The time limit for opening a remote signer, in milliseconds. */
const OPEN_TIMEOUT_MS = 10_000

/** The settings that name the relayers' keys and signers. */
export interface RelayerSettings {
  /** The private keys of local relayers, in hex. */
  RELAYER_KEYS: readonly string[]
  RELAYER_SIGNERS: readonly SignerPlace[]
  cloud: CloudEnvironment
}

/**
 * Opens the signers of all relayers, first RELAYER_KEYS, then RELAYER_SIGNERS, in the order of the settings. The module
 * of a signer type is loaded only if a setting names this type. Example: `await openRelayers(readConfig(process.env))`
 * @throws SettingsError with the setting's name if a signer does not open, or if two signers have the same account
 */
export async function openRelayers(settings: RelayerSettings, onChange: OnSignerChange = () => {}): Promise<Relayer[]> {
  const { RELAYER_KEYS, RELAYER_SIGNERS, cloud } = settings
  const localRelayers = RELAYER_KEYS.map((key) => createLocalRelayer(key as Hex))
  return await checkSetting('RELAYER_SIGNERS', async () => {
    const namedRelayers = await Promise.all(
      RELAYER_SIGNERS.map(async (place) => {
        if (place.kind === 'keystore') return (await import('./keystore-file.ts')).openKeystoreFile(place)
        return createRemoteRelayer(await openRemoteKey(place, cloud), { onChange })
      }),
    )
    const relayers = [...localRelayers, ...namedRelayers]
    const twice = relayers.find(({ address }, index) => relayers.findIndex((each) => each.address === address) < index)
    // Two signers of one account would share a nonce sequence without waiting for each other.
    if (twice !== undefined) throw new Error(`two signers are of ${twice.address}: name each account once`)
    return relayers
  })
}

/** Lists the relayers for a program that only needs their addresses. @throws SettingsError like `openRelayers` */
export async function listRelayers(settings: RelayerSettings): Promise<Pick<Relayer, 'address' | 'kind'>[]> {
  return (await openRelayers(settings)).map(({ address, kind }) => ({ address, kind }))
}

type RemotePlace = Exclude<SignerPlace, { kind: 'keystore' }>

async function openRemoteKey(place: RemotePlace, cloud: CloudEnvironment): Promise<RemoteKey> {
  const signal = AbortSignal.timeout(OPEN_TIMEOUT_MS)
  switch (place.kind) {
    case 'awskms': {
      const [{ openAwsKms }, { createAwsCredentials }] = await Promise.all([
        import('./aws-kms.ts'),
        import('./aws-credentials.ts'),
      ])
      return await openAwsKms(place, createAwsCredentials(cloud), signal)
    }
    case 'gcpkms': {
      const [{ openGoogleKms }, { createGoogleTokens }] = await Promise.all([
        import('./google-kms.ts'),
        import('./google-token.ts'),
      ])
      return await openGoogleKms(place, createGoogleTokens(cloud), signal)
    }
    case 'web3signer':
      return await (await import('./web3signer.ts')).openWeb3signer(place, signal)
  }
}
