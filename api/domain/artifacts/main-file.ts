/**
 * Returns the file that represents a deliverable: the first file with the role `final`. If no file has that role,
 * returns the first file. Returns null if the list is empty.
 * @param files in display order
 */
export function mainFileOf<File extends { role: string }>(files: readonly File[]): File | null {
  return files.find(({ role }) => role === 'final') ?? files[0] ?? null
}
