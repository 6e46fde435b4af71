import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../api/config.ts'
import { readIndexerSettings } from '../../../ops/indexer/settings.ts'
import type { SettingsError } from '../../../settings/read-settings.ts'
import { needed } from './needed.ts'

const bucket = {
  STORAGE: 's3',
  S3_ENDPOINT: 'https://s3.eu-central-1.amazonaws.com',
  S3_REGION: 'eu-central-1',
  S3_BUCKET: 'market-files',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as SettingsError).problems.map(({ setting, problem }) => `${setting}: ${problem}`)
  }
}

describe('the nodes', () => {
  const { RPC_URL: one, ...others } = needed
  const several = 'https://one.example/key, http://127.0.0.1:8545'

  it('given one, or several, then they are a list', () => {
    expect(readConfig(needed).RPC_URLS).toEqual([one])
    expect(readConfig({ ...needed, RPC_URL: several }).RPC_URLS).toEqual([
      'https://one.example/key',
      'http://127.0.0.1:8545',
    ])
  })

  it.each([
    [{}, 'RPC_URL: is needed: up to eight nodes, JSON-RPC over HTTP, comma separated, in the order of preference'],
    [{ RPC_URL: 'ws://127.0.0.1:8545' }, 'RPC_URL: must be http or https URLs, comma separated'],
    [{ RPC_URL: 'nowhere' }, 'RPC_URL: must be http or https URLs, comma separated'],
    [{ RPC_URL: ' , ' }, 'RPC_URL: must name one at least'],
    [{ RPC_URL: one, RELAYER_KEYS: ',' }, 'RELAYER_KEYS: must name one at least'],
    [{ RPC_URL: one, RELAYER_KEYS: '' }, 'RELAYER_KEYS: is needed, or RELAYER_SIGNERS: keys that relay writes'],
    [
      { RPC_URL: one, RELAYER_KEYS: '', RELAYER_KEYS_FILE: '/dev/null' },
      'RELAYER_KEYS: is needed, or RELAYER_SIGNERS: keys that relay writes',
    ],
    [{ RPC_URL: one, RELAYER_SIGNERS: ',' }, 'RELAYER_SIGNERS: must name one at least'],
    [{ RPC_URL: one, READ_DATABASE_URLS: ',' }, 'READ_DATABASE_URLS: must name one at least'],
    [{ RPC_URL: 'http://a,http://a' }, 'RPC_URL: must name each node once'],
    [{ RPC_URL: 'abcdefghi'.replaceAll(/./g, 'http://$&,').slice(0, -1) }, 'RPC_URL: must be 8 nodes at most'],
  ])('given %j, then the error names it', (env, problem) => {
    expect(problemsOf({ ...others, ...(env as Record<string, string>) })).toEqual([problem])
  })

  it('given several for the indexer, then they are a list, without a socket', () => {
    const env = { DATABASE_URL: needed.DATABASE_URL, RPC_URL: several }
    expect(readIndexerSettings(env).rpcUrls).toEqual(['https://one.example/key', 'http://127.0.0.1:8545'])
    expect(() => readIndexerSettings({ ...env, RPC_SOCKET_URL: 'ws://127.0.0.1:8545' })).toThrow(
      'RPC_SOCKET_URL: is of one node',
    )
    expect(() => readIndexerSettings({ DATABASE_URL: env.DATABASE_URL })).toThrow('RPC_URL: is needed')
  })
})

describe('the settings of the storage', () => {
  it('given none, then files are stored in a folder', () => {
    expect(readConfig(needed)).toMatchObject({ STORAGE: 'local', ARTIFACT_DIR: '.local/artifacts' })
  })

  it('given a bucket, then files are stored there', () => {
    expect(readConfig({ ...needed, ...bucket })).toMatchObject({ ...bucket, S3_PREFIX: '' })
    expect(readConfig({ ...needed, ...bucket, S3_PREFIX: 'market/files-2/' }).S3_PREFIX).toBe('market/files-2/')
  })

  it('given s3 and nothing else, then every missing setting is named in one error, with the other faults', () => {
    expect(problemsOf({ ...needed, STORAGE: 's3', PORT: 'http' })).toEqual([
      expect.stringMatching(/^PORT: /),
      'S3_ENDPOINT: is needed with STORAGE=s3',
      'S3_REGION: is needed with STORAGE=s3',
      'S3_BUCKET: is needed with STORAGE=s3',
      'S3_ACCESS_KEY_ID: is needed with STORAGE=s3',
      'S3_SECRET_ACCESS_KEY: is needed with STORAGE=s3',
    ])
  })

  it.each<Record<string, string>>([
    { S3_SECRET_ACCESS_KEY: '' },
    { S3_SECRET_ACCESS_KEY: '', S3_SECRET_ACCESS_KEY_FILE: '/dev/null' },
    { STORAGE: 'gcs' },
    { S3_ENDPOINT: 's3.amazonaws.com' },
    { S3_ENDPOINT: 'ftp://s3.amazonaws.com' },
    { S3_BUCKET: '../others' },
    { S3_BUCKET: 'a/b' },
    { S3_PREFIX: 'market' },
    { S3_PREFIX: '/market/' },
    { S3_PREFIX: 'market/../other/' },
    { S3_PREFIX: 'my files/' },
  ])('given %j, then the error names it', (wrong) => {
    const [name = ''] = Object.keys(wrong)
    expect(problemsOf({ ...needed, ...bucket, ...wrong })).toEqual([expect.stringContaining(`${name}: `)])
  })
})
