import { inject } from 'vitest'
import { createS3Store } from '../../api/artifacts/storage/s3.ts'
import { objectStoreContract } from '../support/object-store-contract.ts'

objectStoreContract(() => createS3Store({ ...inject('swift').bucket, prefix: 'contract/' }))
