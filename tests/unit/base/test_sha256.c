/* SHA-256 against the examples of NIST (FIPS 180-4 and its CAVP short messages). */
#include "unit/support.h"

#include "base/file.h"
#include "base/sha256.h"

/* By the processor's instructions, where it has them, and without. */
static void assert_digest(const void *bytes, size_t size, const char *expected)
{
	struct sha256 hash;
	char digest[65];

	for (int plainly = 0; plainly < 2; ++plainly) {
		sha256_begin(&hash);
		hash.by_processor &= plainly == 0;
		sha256_add(&hash, bytes, size);
		sha256_end(&hash, digest);
		assert_string_equal(digest, expected);
	}
}

static const struct {
	const char *text, *digest;
} examples[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrst"
     "u",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"\xd3", "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"},
    {"\xb4\x19\x0e", "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"},
};

static void test_digests_are_those_of_nist(void **unused)
{
	(void)unused;
	for (size_t k = 0; k < COUNT(examples); ++k)
		assert_digest(examples[k].text, strlen(examples[k].text), examples[k].digest);
}

static const char million_a[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

static void test_digest_is_independent_of_pieces(void **unused)
{
	struct sha256 hash;
	char digest[65], block[1009];

	(void)unused;
	memset(block, 'a', sizeof block);
	sha256_begin(&hash);
	for (size_t left = 1000000, now; left > 0; left -= now) {
		now = left < sizeof block ? left : sizeof block;
		sha256_add(&hash, block, now);
	}
	sha256_end(&hash, digest);
	assert_string_equal(digest, million_a);
}

/* However the bytes come in, and for every length round the block and its padding. */
static void test_pieces_do_not_matter(void **unused)
{
	unsigned char bytes[300];

	(void)unused;
	for (size_t k = 0; k < sizeof bytes; ++k)
		bytes[k] = (unsigned char)(7 * k + 3);
	for (size_t size = 0; size <= sizeof bytes; ++size) {
		char whole[65], pieces[65];
		struct sha256 hash;
		sha256_begin(&hash);
		sha256_add(&hash, bytes, size);
		sha256_end(&hash, whole);
		sha256_begin(&hash);
		for (size_t done = 0, step = 1; done < size; done += step, step = step % 67 + 13) {
			if (step > size - done)
				step = size - done;
			sha256_add(&hash, bytes + done, step);
		}
		sha256_end(&hash, pieces);
		assert_string_equal(pieces, whole);
	}
}

/* Stops at the third question. */
static bool stop_later(void *user)
{
	return ++*(int *)user == 3;
}

static void test_hashing_a_file_can_be_cancelled(void **unused)
{
	static char bytes[1000000];
	char digest[65];
	int asked = 0;

	(void)unused;
	assert_status(SONDE_CANCELLED,
		      file_sha256(test_write("long", bytes, sizeof bytes), stop_later, &asked, digest));
	assert_int_equal(asked, 3);
}

static void test_digest_of_a_file_is_that_of_its_bytes(void **unused)
{
	static char bytes[1000000];
	char digest[65];

	(void)unused;
	memset(bytes, 'a', sizeof bytes);
	assert_status(SONDE_OK, file_sha256(test_write("million", bytes, sizeof bytes), NULL, NULL, digest));
	assert_string_equal(digest, million_a);
	assert_status(SONDE_OK, file_sha256(test_write("empty", "", 0), NULL, NULL, digest));
	assert_string_equal(digest, examples[0].digest);
	assert_invalid("absent", file_sha256(test_path("absent"), NULL, NULL, digest));
	assert_invalid("is a folder", file_sha256(test_folder(), NULL, NULL, digest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_digests_are_those_of_nist),
	    cmocka_unit_test(test_digest_is_independent_of_pieces),
	    cmocka_unit_test(test_pieces_do_not_matter),
	    cmocka_unit_test(test_digest_of_a_file_is_that_of_its_bytes),
	    cmocka_unit_test(test_hashing_a_file_can_be_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
