import { myWorkContent } from '../act/my-work.ts'
import type { Page } from '../html/layout.ts'

/** The frame of a wallet's inbox and action queue, which an island fills. The page never depends on its visitor. */
export function mePage(): Page {
  return {
    title: 'My work',
    path: '/me',
    section: 'me',
    isUnlisted: true,
    layout: 'split',
    islands: ['me'],
    body: myWorkContent(),
  }
}
