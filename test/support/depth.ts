/** Whether this is `npm run test:deep`: the long versions of tests whose length is a choice. */
export const isDeep = process.env.TEST_DEPTH === 'deep'

/** @returns the first in `npm test`, the second in `npm run test:deep` */
export function byDepth<T>(usual: T, deep: T): T {
  return isDeep ? deep : usual
}
