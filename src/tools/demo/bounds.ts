/** The element at a valid index. @throws if the index is outside the list, which is a bug. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`no element ${index} in a list of ${list.length}`);
  return item;
}
