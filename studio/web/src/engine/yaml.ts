// SPDX-License-Identifier: MIT
// A scene as JSON for engines that read no YAML: every scalar stays a text.

export async function sceneToJson(scene: string): Promise<string> {
  const { parseDocument, visit } = await import("yaml");
  const document = parseDocument(scene, { schema: "failsafe", uniqueKeys: true });
  if (document.errors.length > 0) throw new Error(document.errors[0].message);
  visit(document, {
    Alias() {
      throw new Error("a scene has no anchors and aliases");
    },
  });
  return JSON.stringify(document.toJS());
}
