// SPDX-License-Identifier: MIT
// Fail unless the Khronos validator finds neither errors nor warnings: gltf.cjs VALIDATOR FILE
const [, , validator, file] = process.argv;
require(validator)
    .validateBytes(new Uint8Array(require("fs").readFileSync(file)))
    .then((report) => {
        const { numErrors, numWarnings, messages } = report.issues;
        if (numErrors + numWarnings > 0) {
            console.error(file, messages);
            process.exit(1);
        }
    });
